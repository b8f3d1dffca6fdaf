#compdef timerq
# Completes timerq's commands, options, queues and scenarios in zsh:
#
#   timerq completion zsh >> ~/.zshrc        (below compinit)

_timerq () {
  local -a lines described
  local line
  lines=("${(@f)$(timerq --get-completions "${(@)words[2,CURRENT]}")}")
  # Where timerq knows nothing, a file may follow.
  if [[ -z $lines[1] ]]; then
    _files
    return
  fi
  for line in $lines; do
    described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  _describe 'timerq' described
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _timerq "$@"
else
  compdef _timerq timerq
fi

# Completes timerq's commands, options, queues and scenarios in bash:
#
#   timerq completion bash >> ~/.bashrc

_timerq () {
  local IFS=$'\n'
  COMPREPLY=($(timerq --get-completions "${COMP_WORDS[@]:1:COMP_CWORD}" | cut -f 1))
}
# Where timerq knows nothing, a file may follow.
complete -o bashdefault -o default -F _timerq timerq

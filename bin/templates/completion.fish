# Completes timerq's commands, options, queues and scenarios in fish:
#
#   timerq completion fish > ~/.config/fish/completions/timerq.fish

function __timerq_complete
  set -l words (commandline -opc) "$(commandline -ct)"
  set -l found (timerq --get-completions $words[2..-1])
  if test (count $found) -gt 0
    printf '%s\n' $found
  else
    # Where timerq knows nothing, a file may follow.
    __fish_complete_path "$(commandline -ct)"
  end
end
complete -c timerq -f -a '(__timerq_complete)'

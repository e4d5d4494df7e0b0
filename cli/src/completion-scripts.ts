/**
 * The scripts that `millrace completion <shell>` prints. Each passes the words before the cursor to `millrace __complete` and
 * offers the lines that it prints: a value, a tab, a description.
 */

// Bash treats "=" as a separate word: COMP_LINE has the words as typed.
const BASH = `# Completion of millrace for bash
_millrace() {
  local line words
  COMPREPLY=()
  read -r -a words <<< "\${COMP_LINE:0:COMP_POINT}"
  case "\${COMP_LINE:0:COMP_POINT}" in *[[:space:]]) words+=("") ;; esac
  local current="\${words[\${#words[@]} - 1]}" typed="\${COMP_WORDS[COMP_CWORD]}"
  [ "$typed" = "=" ] && typed=""
  while IFS= read -r line; do
    line="\${line%%$'\\t'*}"
    COMPREPLY+=("\${line:\${#current}-\${#typed}}")
  done < <("\${words[0]}" __complete bash -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _millrace millrace
`;

const ZSH = `#compdef millrace
# Completion of millrace for zsh
_millrace() {
  local line
  local -a candidates
  while IFS= read -r line; do
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${(Q)words[1]}" __complete zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe millrace candidates
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_millrace" ]; then
  _millrace "$@"
else
  compdef _millrace millrace
fi
`;

const FISH = `# Completion of millrace for fish
function __millrace_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  $words[1] __complete fish -- $words[2..-1] "$current" 2>/dev/null
end
complete -c millrace -f -a '(__millrace_complete)'
complete -c millrace -n '__fish_seen_subcommand_from build bake gocache' -F
`;

// PowerShell before 7.3 drops empty arguments, so the script puts a dot before the typed word.
const POWERSHELL = `# Completion of millrace for PowerShell
Register-ArgumentCompleter -Native -CommandName millrace -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $before = @($commandAst.CommandElements |
    Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { $_.ToString() })
  $program = $commandAst.CommandElements[0].ToString()
  & $program __complete powershell '--' @before ".$wordToComplete" 2>$null | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if (-not $description) { $description = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
  }
}
`;

export const COMPLETION_SCRIPTS: { [shell: string]: string } = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};

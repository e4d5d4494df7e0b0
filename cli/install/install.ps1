# Installs the command `millrace` of {{origin}} below %USERPROFILE%\.millrace, or brings it up to date. It needs Node.js
# {{node}} or newer.
#
#   irm {{origin}}/install.ps1 | iex
#   & ([scriptblock]::Create((irm {{origin}}/install.ps1))) -Uninstall
#
# MILLRACE_INSTALL names another folder. What changes is one file, at the end: until then the former command works.
param([switch]$Uninstall)

function Install-Millrace([bool]$Remove) {
  $ErrorActionPreference = 'Stop'
  # Without it, Windows PowerShell draws each kilobyte.
  $ProgressPreference = 'SilentlyContinue'
  $origin = '{{origin}}'
  $version = '{{version}}'
  $sha256 = '{{sha256}}'
  $oldest = [version]'{{node}}'
  $root = if ($env:MILLRACE_INSTALL) { $env:MILLRACE_INSTALL } else { Join-Path $HOME '.millrace' }
  $bin = Join-Path $root 'bin'
  $programs = Join-Path $root 'cli'
  $command = Join-Path $bin 'millrace.cmd'
  # In each folder that this script made: it removes no other.
  $mark = 'installed-by-script'

  if ($Remove) {
    if (-not (Test-Path $command)) { throw "millrace: nothing is installed in $root" }
    Remove-Item $command
    Get-ChildItem $programs -Directory | Where-Object { Test-Path (Join-Path $_.FullName $mark) } | Remove-Item -Recurse -Force
    foreach ($folder in $programs, $bin, $root) { if (-not (Get-ChildItem $folder -Force)) { Remove-Item $folder } }
    Write-Output "Removed $command"
    return
  }

  $get = 'get it from https://nodejs.org/en/download, open a new terminal, and run this again'
  if (-not (Get-Command node -ErrorAction SilentlyContinue)) { throw "millrace: Node.js is missing: the command needs $oldest or newer; $get" }
  $found = [version](node -p process.versions.node)
  if ($found -lt $oldest) { throw "millrace: Node.js $found is too old: the command needs $oldest or newer; $get" }

  $draft = Join-Path $root ".draft-$PID"
  try {
    try { foreach ($folder in $draft, $bin, $programs) { New-Item -ItemType Directory -Force $folder | Out-Null } }
    catch { throw "millrace: $root cannot be written: set MILLRACE_INSTALL to a folder that you can write to, and run this again ($_)" }
    $archive = Join-Path $draft 'millrace.tgz'
    $address = "$origin/cli/millrace-$version.tgz"
    try { Invoke-WebRequest -UseBasicParsing -Uri $address -OutFile $archive }
    catch { throw "millrace: $address could not be downloaded: $_ Check the network, the clock of this machine and the space on its disk, and run the command again" }
    $got = (Get-FileHash -Algorithm SHA256 $archive).Hash
    if ($got -ne $sha256) { throw "millrace: $address was damaged in transit: its SHA-256 is $got, expected $sha256; nothing was installed. Run the command again" }
    tar -xzf $archive -C $draft
    if ($LASTEXITCODE -ne 0) { throw "millrace: the program cannot be unpacked in ${root}: free 10 MB on its disk, and run this again" }
    $package = Join-Path $draft 'package'
    New-Item -ItemType File (Join-Path $package $mark) | Out-Null
    $said = node (Join-Path $package 'dist/main.js') --version
    if ($LASTEXITCODE -ne 0) { throw "millrace: the program from $origin does not run here" }
    $name = "$version-$PID"
    Move-Item $package (Join-Path $programs $name)
    $text = "@node ""%~dp0..\cli\$name\dist\main.js"" %*"
    Set-Content -Encoding Ascii (Join-Path $draft 'millrace.cmd') $text
    # The program before stays until the next change, for what still runs.
    $former = if (Test-Path $command) { [regex]::Match((Get-Content -Raw $command), '\\cli\\([^\\]+)\\').Groups[1].Value } else { '' }
    Move-Item -Force (Join-Path $draft 'millrace.cmd') $command
    Get-ChildItem $programs -Directory |
      Where-Object { $_.Name -notin $name, $former -and (Test-Path (Join-Path $_.FullName $mark)) } |
      Remove-Item -Recurse -Force -ErrorAction SilentlyContinue
    Write-Output "Installed $said as $command"
  }
  finally { if (Test-Path $draft) { Remove-Item -Recurse -Force $draft } }

  if (($env:PATH -split [IO.Path]::PathSeparator) -notcontains $bin) {
    Write-Output "Add it to your PATH, then open a new terminal:"
    Write-Output "  [Environment]::SetEnvironmentVariable('Path', ""$bin;"" + [Environment]::GetEnvironmentVariable('Path', 'User'), 'User')"
  }
  Write-Output "Next:  millrace login --url $origin"
}

# On the last line, so that half a script does nothing.
Install-Millrace $Uninstall.IsPresent

/**
 * Programs whose plain words, files or script make them do nearly anything: interpreters, shells, editors, pagers,
 * debuggers, builders, those that copy, write, connect or start others. A grant covers only the very same words.
 */
export const widePrograms: ReadonlySet<string> = new Set(
  // interpreters and compilers that run what they are given
  (
    'python pypy ipython node nodejs deno bun tsx ts-node perl ruby irb php lua luajit tclsh wish expect guile racket ' +
    'sbcl clisp ecl scheme gawk awk mawk nawk original-awk sed gsed ed ex jjs jrunscript jshell java javac kotlin kotlinc ' +
    'scala groovy ghc ghci runghc ocaml erl elixir iex julia r rscript octave swift osascript go rustc gcc cc c++ g++ ' +
    'clang clang++ tcc ld as cpp gfortran rlang dc bc m4 jq yq gnuplot maxima sage dotnet mono csi fsi cscript wscript ' +
    'mshta rundll regsvr certutil msbuild wasmtime wasmer ' +
    // shells and what starts other programs
    'sh bash dash ash zsh ksh mksh rbash csh tcsh fish pwsh powershell cmd nu xonsh busybox toybox env sudo doas su ' +
    'pkexec nohup nice ionice time timeout xargs parallel command builtin exec eval source find gfind bfs fd fdfind watch ' +
    'strace ltrace stdbuf setsid chroot unshare nsenter script flock screen tmux byobu at batch crontab run-parts ' +
    'start-stop-daemon systemd-run systemctl service launchctl init telinit taskset chrt setarch capsh setpriv runuser ' +
    'sg newgrp gdb lldb valgrind perf rlwrap firejail bwrap dbus-send busctl gdbus ' +
    // editors and pagers
    'vi vim nvim view gvim rvim rview vimdiff emacs emacsclient nano pico joe jed mcedit less more most pg man info ' +
    'bat view micro kak helix hx code cursor subl open xdg-open start ' +
    // builders and runners of scripts
    'uv poetry hatch pdm rye make gmake cmake ninja rake ant mvn mvnw gradle gradlew bazel buck just task scons meson npx pnpx bunx uvx pipx pip ' +
    'easy_install gem bundle bundler composer cpan cpanm luarocks conda mamba brew apt apt-get aptitude dpkg rpm yum ' +
    'dnf zypper pacman apk snap flatpak port nix nix-shell nix-env guix ansible ansible-playbook puppet chef salt ' +
    'salt-call terraform tofu pulumi vagrant packer docker podman nerdctl ctr runc lxc kubectl helm ' +
    // network
    'curl wget aria2c lwp-request http httpie xh nc ncat netcat socat telnet ssh scp sftp rsync rclone ftp tftp lftp ' +
    'smbclient mail mailx sendmail mutt nmap tcpdump tshark openssl gpg whois finger dig nslookup host iptables ip ' +
    'ifconfig route arp ab wrk aws gcloud az gh glab git svn hg bzr cvs openvpn ' +
    // files
    'rm rmdir mv cp ln dd install tee truncate shred touch mkdir mknod mkfifo chmod chown chgrp chattr setfacl mount ' +
    'umount fsck mkfs fdisk parted losetup tar cpio pax zip unzip gzip gunzip bzip xz zstd 7z 7za rar unrar ar split ' +
    'csplit patch uniq tac base64 base32 xxd od hexdump iconv ' +
    // databases
    'sqlite sqlite3 psql mysql mariadb mongo mongosh redis-cli sqlcmd ' +
    // those that typeset, show or ask, and run what they find in a file or an option
    'tex latex pdflatex pdftex xelatex xetex lualatex luatex latexmk dvips groff troff nroff enscript pandoc gimp exiftool ' +
    'aspell ispell fzf lynx links w3m elinks neofetch dialog whiptail run-mailcap xmore yelp zathura highlight grc rtorrent ' +
    'espeak look msgfilter msgattrib msgconv rev shuf join comm column soelim tbl eqn tic unsquashfs qpdf ' +
    // accounts and the system
    'setcap capsh ksu dmsetup virsh nft bridge restic sshpass tmate scanmem crash bpftrace distcc varnishncsa opkg knife ' +
    'passwd chpasswd useradd usermod userdel visudo vipw vigr kill killall pkill reboot shutdown halt poweroff sysctl ' +
    'modprobe insmod rmmod kexec ldconfig update-alternatives dmesg journalctl logrotate debugfs hping zypper ' +
    'wall write logger xmodmap xdotool wmctrl setxkbmap cowsay cowthink ' +
    'cd pushd popd exit logout return shift umask ulimit wait fg bg disown times break continue suspend'
  ).split(' '),
);

/** Programs that are many programs: a grant needs to say which, by so many words more. */
export const subcommandPrograms: Readonly<Record<string, number>> = {
  git: 1,
  npm: 1,
  pnpm: 1,
  yarn: 1,
  cargo: 1,
  'npm run': 2,
  'npm run-script': 2,
  'pnpm run': 2,
  'yarn run': 2,
};

/**
 * Subcommands that stay what they are with any name behind them. Every other one, known or not, may be an alias, start
 * a program, fetch from anywhere or change the settings.
 */
export const narrowSubcommands: ReadonlySet<string> = new Set([
  ...'describe ls-tree rev-list merge-base show-ref for-each-ref name-rev count-objects cherry tag'
    .split(' ')
    .map((word) => `git ${word}`),
  ...['npm', 'pnpm', 'yarn'].flatMap((program) =>
    ['list', 'ls', 'outdated', 'why'].map((word) => `${program} ${word}`),
  ),
  ...'test build check clippy fmt doc tree'.split(' ').map((word) => `cargo ${word}`),
]);

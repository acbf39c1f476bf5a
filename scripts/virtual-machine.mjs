// Tries the Debian package on a virtual machine with a kernel, systemd and cgroup v2 of its own, for what namespaces cannot show: install.sh on a
// bare machine, a deployed site, a reboot with everything back, memory limits, and power cuts. QEMU runs without KVM, so it takes an hour or more.
// Usage (root): node scripts/virtual-machine.mjs <folder> <hosting-panel_….deb> [--next <hosting-panel_….deb>] [--suite bookworm]
//   <folder> receives the machine's disk and its logs. Run again with the same folder, it continues with the step that failed.
//   The package needs its signature (<package>.minisig), install.sh and the public key (key.pub) beside it. --next is a newer one, for the upgrade.
// It needs qemu-system-x86, mmdebstrap, e2fsprogs and openssh-client. It prints a line per step, for docs/testing.md.
import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'

const execute = promisify(execFile)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { suite: { type: 'string', default: 'trixie' }, next: { type: 'string' } }
})
if (positionals.length !== 2) throw new Error('Usage: node scripts/virtual-machine.mjs <folder> <package>')
const [folder, debian] = positionals.map((path) => resolve(path))
mkdirSync(folder, { recursive: true })
const inFolder = (name) => join(folder, name)

const packages =
  'linux-image-amd64,systemd-sysv,systemd-timesyncd,udev,dbus,iproute2,nftables,openssh-server,ca-certificates,procps,kmod'
const minutes = (ms) => `${(ms / 60_000).toFixed(1)} min`

// What a later run needs to continue.
const progressFile = inFolder('progress.json')
const progress = existsSync(progressFile) ? JSON.parse(readFileSync(progressFile, 'utf8')) : { done: [] }

/** Prints what a step gave and how long it took; a step that fails ends the script. */
async function step(name, work) {
  const start = Date.now()
  const result = await work()
  console.log(`${name}: ${result ?? 'ok'} (${minutes(Date.now() - start)})`)
}

/** A step that is not repeated by a later run with the same folder. */
async function once(name, work) {
  if (progress.done.includes(name)) return
  try {
    await step(name, work)
    progress.done.push(name)
  } finally {
    writeFileSync(progressFile, JSON.stringify(progress))
  }
}

async function makeDisk() {
  if (existsSync(inFolder('disk.img'))) return 'was there'
  const root = inFolder('root')
  rmSync(root, { recursive: true, force: true })
  await execute('mmdebstrap', ['--quiet', '--variant=apt', `--include=${packages}`, values.suite, root])
  rmSync(inFolder('key'), { force: true })
  await execute('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', inFolder('key')])
  mkdirSync(join(root, 'root/.ssh'), { mode: 0o700, recursive: true })
  writeFileSync(join(root, 'root/.ssh/authorized_keys'), readFileSync(inFolder('key.pub')), { mode: 0o600 })
  // It reaches the Internet as this machine does, and trusts the same authorities.
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(root, 'etc/ssl/certs/ca-certificates.crt'))
  writeFileSync(join(root, 'etc/hostname'), 'machine\n')
  writeFileSync(join(root, 'etc/fstab'), '/dev/vda / ext4 defaults 0 1\n')
  writeFileSync(join(root, 'etc/systemd/network/10-all.network'), '[Match]\nName=en*\n[Network]\nDHCP=yes\n')
  await execute('chroot', [root, 'systemctl', 'enable', '--quiet', 'systemd-networkd', 'ssh'])
  await execute('sh', [
    '-c',
    'cp "$0"/boot/vmlinuz-* "$1/vmlinuz" && cp "$0"/boot/initrd.img-* "$1/initrd"',
    root,
    folder
  ])
  await execute('mke2fs', ['-q', '-t', 'ext4', '-F', '-d', root, inFolder('disk.img'), '16G'])
  rmSync(root, { recursive: true })
}

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => found(port))
    })
  })

let machine
let ports
async function boot() {
  ports = { ssh: await freePort(), panel: await freePort(), web: await freePort() }
  const forwards = [
    [ports.ssh, 22],
    [ports.panel, 3000],
    [ports.web, 80]
  ].map(([from, to]) => `hostfwd=tcp:127.0.0.1:${from}-:${to}`)
  const log = openSync(inFolder('qemu.log'), 'a')
  machine = spawn(
    'qemu-system-x86_64',
    [
      ...['-accel', 'tcg,thread=multi', '-machine', 'q35', '-cpu', 'max', '-smp', '2', '-m', '4096'],
      ...['-display', 'none', '-monitor', 'none', '-no-reboot', '-serial', `file:${inFolder('serial.log')}`],
      ...[
        '-kernel',
        inFolder('vmlinuz'),
        '-initrd',
        inFolder('initrd'),
        '-append',
        'root=/dev/vda rw console=ttyS0 quiet'
      ],
      // The guest's own cache is lost with a power cut; what it flushed is in the file.
      ...['-drive', `file=${inFolder('disk.img')},format=raw,if=virtio,cache=writeback`],
      ...['-netdev', ['user', 'id=n', ...forwards].join(), '-device', 'virtio-net-pci,netdev=n']
    ],
    { stdio: ['ignore', log, log] }
  )
  await until('ssh answers', () => run('true'), 20)
}

const sshOptions = [
  'StrictHostKeyChecking=no',
  'UserKnownHostsFile=/dev/null',
  'LogLevel=ERROR',
  'ConnectTimeout=20'
].flatMap((option) => ['-o', option])

/** One shell command inside, written in this file. */
async function run(command, timeout = 3_600_000) {
  const argv = [...sshOptions, '-i', inFolder('key'), '-p', String(ports.ssh), 'root@127.0.0.1', command]
  return (await execute('ssh', argv, { timeout, maxBuffer: 2 ** 26 })).stdout.trim()
}
const copyIn = (...paths) =>
  execute('scp', [...sshOptions, '-i', inFolder('key'), '-P', String(ports.ssh), ...paths, 'root@127.0.0.1:/root/'])

async function until(what, probe, limitMinutes) {
  for (const deadline = Date.now() + limitMinutes * 60_000; ; await sleep(2_000)) {
    const found = await probe().catch(() => undefined)
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`No success: ${what}`)
  }
}

const ended = () => new Promise((done) => machine.once('exit', done))
async function cutPower() {
  const gone = ended()
  machine.kill('SIGKILL')
  await gone
}
async function restart() {
  const gone = ended()
  await run('systemctl --no-block reboot').catch(() => {})
  await gone
  await boot()
}

/** @param body an object as JSON, or the bytes of a gzipped tar */
async function call(method, path, body) {
  const [type, content] = Buffer.isBuffer(body)
    ? ['application/gzip', body]
    : ['application/json', JSON.stringify(body)]
  const response = await fetch(`http://127.0.0.1:${ports.panel}/api${path}`, {
    method,
    headers: {
      ...(progress.cookie && { cookie: progress.cookie }),
      ...(body && { 'content-type': type })
    },
    ...(body && { body: content }),
    signal: AbortSignal.timeout(120_000)
  })
  const [set] = response.headers.getSetCookie()
  if (set) progress.cookie = set.split(';')[0]
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

const isHealthy = async () => (await call('GET', '/health')).status === 'ok'
const deploymentOf = (project, id) => call('GET', `/projects/${project}/deployments/${id}`)
const deploys = (project, id) =>
  until(
    `deployment ${id}`,
    async () => {
      const { status, buildLogs } = await deploymentOf(project, id)
      if (status === 'FAILED') console.log(buildLogs)
      return ['RUNNING', 'FAILED', 'CANCELLED'].includes(status) && status
    },
    60
  )
const site = async (hostname) => {
  const argv = ['-sS', '-m', '60', '-H', `Host: ${hostname}`, `http://127.0.0.1:${ports.web}/`]
  return (await execute('curl', argv)).stdout
}

const everythingIsBack = async () => {
  await until('health', isHealthy, 60)
  await until('site', () => site(progress.hostname), 30)
}
const beside = (path) => [path, `${path}.minisig`]

const newBackup = async () => {
  await call('POST', '/backups', { subject: 'PANEL' })
  return (await call('GET', '/backups')).backups[0].id
}
const backupOf = async (id) => (await call('GET', '/backups')).backups.find((backup) => backup.id === id)
const endsAs = (id) =>
  until(
    `backup ${id}`,
    async () => {
      const { status } = await backupOf(id)
      return (status === 'GOOD' || status === 'FAILED') && status
    },
    60
  )

const upgradeState = async () => JSON.parse(await run('cat /var/lib/hosting-panel/upgrade/state.json'))
const currentVersion = () => run('basename "$(readlink /opt/hosting-panel/current)"')

try {
  await once('disk with a minimal Debian', makeDisk)
  await step('boot', boot)
  await once('system', () => run('. /etc/os-release; echo "$PRETTY_NAME, $(uname -r), $(stat -fc %T /sys/fs/cgroup)"'))
  await once('install.sh to the setup link', async () => {
    await copyIn(...beside(debian), ...['install.sh', 'key.pub'].map((name) => join(dirname(debian), name)))
    const output = await run(`sh /root/install.sh --key /root/key.pub /root/${basename(debian)}`, 7_200_000)
    progress.link = /http:\S+#(\S+)/.exec(output)?.[1]
    if (!progress.link) throw new Error(output)
    await run('sync')
  })
  await once('the panel is ready', () => until('health', isHealthy, 60).then(() => 'health ok'))
  const person = { name: 'admin', email: 'admin@example.com', password: 'a long password 1' }
  if (progress.done.includes('administrator'))
    await step('sign in', () =>
      until('health', isHealthy, 60)
        .then(() => call('POST', '/auth/login', person))
        .then(() => 'ok')
    )
  await once('administrator', async () => {
    await call('POST', '/auth/register', { ...person, confirmPassword: person.password, setupToken: progress.link })
  })
  await once('sample project', async () => {
    const { sampleRepository } = await call('GET', '/system/settings')
    progress.project ??= (await call('POST', '/projects', { name: 'sample', type: 'NODEJS' })).id
    await call('POST', `/projects/${progress.project}/git/connect`, { gitUrl: sampleRepository, branch: 'main' })
  })
  await once('first deployment', async () => {
    const status = await deploys(progress.project, (await call('POST', `/projects/${progress.project}/build`)).id)
    if (status !== 'RUNNING') throw new Error(`The deployment ended ${status}`)
    progress.hostname = (await call('GET', `/projects/${progress.project}`)).deployedDomain
    return `${status}, ${progress.hostname}`
  })
  await once('the site answers', async () => (await site(progress.hostname)).length > 0 && 'ok')
  await once('memory limit of the container', () =>
    run('cat $(find /sys/fs/cgroup -path "*docker-*.scope/memory.max" | head -1)')
  )
  await once('a build that takes all memory', async () => {
    const folder = inFolder('hungry')
    mkdirSync(folder, { recursive: true })
    const fill = "RUN node -e 'const all = []; for (;;) all.push(Buffer.alloc(2 ** 24, 1))'"
    writeFileSync(join(folder, 'Dockerfile'), `FROM node:24-trixie-slim\n${fill}\n`)
    await execute('tar', ['-czf', `${folder}.tar.gz`, '-C', folder, '.'])
    const { id } = await call('POST', '/projects', { name: 'hungry', type: 'DOCKERFILE' })
    const deployment = await call('POST', `/projects/${id}/uploads`, readFileSync(`${folder}.tar.gz`))
    await deploys(id, deployment.id)
    const { status, failure } = await deploymentOf(id, deployment.id)
    const killed = await run('journalctl -k | grep -c "global_oom" || true')
    await site(progress.hostname)
    if (killed !== '0') throw new Error(`The memory of the machine ran out ${killed} times`)
    return `${status}, ${failure?.reason}; the site answers, and the panel is ${(await isHealthy()) ? 'healthy' : 'not healthy'}`
  })
  await once('doctor', () => run('panel doctor || true').then((text) => text.slice(0, 2_000)))
  await once('the site keeps running while the engine restarts', async () => {
    const processes = () =>
      run('cat $(find /sys/fs/cgroup -path "*docker-*.scope/cgroup.procs") | sort -n | tr "\\n" " "')
    const before = await processes()
    await run('systemctl restart docker')
    const after = await processes()
    if (before === '' || after !== before) throw new Error(`Processes ${before} became ${after}`)
  })
  await once('reboot', restart)
  await once('everything is back', () => everythingIsBack().then(() => 'panel and site'))
  await once('power cut in a deployment', async () => {
    const { id } = await call('POST', `/projects/${progress.project}/build`)
    await until('build', async () => (await deploymentOf(progress.project, id)).status !== 'QUEUED', 30)
    await cutPower()
    await boot()
    await everythingIsBack()
    return `the acknowledged deployment ended ${await deploys(progress.project, id)}, and the site answers`
  })
  await once('backup of the panel', async () => {
    const { id, key } = await call('POST', '/backups/targets', {
      kind: 'FOLDER',
      name: 'Disk',
      path: '/var/backups/panel'
    })
    await call('POST', `/backups/targets/${id}/confirm`, { key })
    return endsAs(await newBackup())
  })
  await once('power cut in a backup', async () => {
    const id = await newBackup()
    await until('backup', async () => (await backupOf(id)).status === 'RUNNING', 30)
    await cutPower()
    await boot()
    await everythingIsBack()
    const first = await endsAs(id)
    return `the acknowledged backup ended ${first}, the next one ${await endsAs(await newBackup())}`
  })
  if (values.next !== undefined) {
    const next = resolve(values.next)
    await once('power cut in an upgrade', async () => {
      await copyIn(...beside(next))
      const cut = run(`panel upgrade --key /root/key.pub /root/${basename(next)}`, 7_200_000).catch(() => 'cut')
      await until('the upgrade switches', async () => (await upgradeState()).phase === 'trying', 60)
      await cutPower()
      await cut
      await boot()
      await everythingIsBack()
      return `the upgrade is ${(await upgradeState()).phase}, and ${await currentVersion()} runs`
    })
    await once('upgrade', async () => {
      if ((await upgradeState()).phase === 'done') return 'was done after the power cut'
      await run(`panel upgrade --key /root/key.pub /root/${basename(next)}`, 7_200_000)
      await everythingIsBack()
      return `${(await upgradeState()).phase}, and ${await currentVersion()} runs`
    })
  }
} finally {
  machine?.kill('SIGKILL')
}

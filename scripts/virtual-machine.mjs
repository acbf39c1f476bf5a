// Tries the Debian package on a virtual machine with a kernel, systemd and cgroup v2 of its own, for what namespaces cannot show: install.sh on a
// bare machine, a deployed site, a reboot with everything back, memory limits, and power cuts. QEMU runs without KVM, so it takes an hour or more.
// Usage (root): node scripts/virtual-machine.mjs <folder> <hosting-panel_….deb> [--suite bookworm]
//   <folder> receives the machine's disk and its logs. The package needs its signature and install.sh beside it and the public key <key.pub>.
// It needs qemu-system-x86, mmdebstrap, e2fsprogs and openssh-client. It prints a line per step, for docs/testing.md.
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'

const execute = promisify(execFile)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { suite: { type: 'string', default: 'trixie' } }
})
if (positionals.length !== 2) throw new Error('Usage: node scripts/virtual-machine.mjs <folder> <package>')
const [folder, debian] = positionals.map((path) => resolve(path))
mkdirSync(folder, { recursive: true })
const inFolder = (name) => join(folder, name)

const packages = 'linux-image-amd64,systemd-sysv,systemd-timesyncd,udev,dbus,iproute2,nftables,openssh-server,ca-certificates,procps,kmod' // prettier-ignore
const minutes = (ms) => `${(ms / 60_000).toFixed(1)} min`

/** Prints what a step gave and how long it took; a step that fails ends the script. */
async function step(name, work) {
  const start = Date.now()
  const result = await work()
  console.log(`${name}: ${result ?? 'ok'} (${minutes(Date.now() - start)})`)
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
  writeFileSync(join(root, 'etc/hostname'), 'machine\n')
  writeFileSync(join(root, 'etc/fstab'), '/dev/vda / ext4 defaults 0 1\n')
  writeFileSync(join(root, 'etc/systemd/network/10-all.network'), '[Match]\nName=en*\n[Network]\nDHCP=yes\n')
  await execute('chroot', [root, 'systemctl', 'enable', '--quiet', 'systemd-networkd', 'ssh'])
  await execute('sh', ['-c', 'cp "$0"/boot/vmlinuz-* "$1/vmlinuz" && cp "$0"/boot/initrd.img-* "$1/initrd"', root, folder]) // prettier-ignore
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
  const forwards = [[ports.ssh, 22], [ports.panel, 3000], [ports.web, 80]].map(([from, to]) => `hostfwd=tcp:127.0.0.1:${from}-:${to}`) // prettier-ignore
  const log = openSync(inFolder('qemu.log'), 'a')
  machine = spawn(
    'qemu-system-x86_64',
    [
      ...['-accel', 'tcg,thread=multi', '-machine', 'q35', '-cpu', 'max', '-smp', '2', '-m', '4096'],
      ...['-display', 'none', '-monitor', 'none', '-no-reboot', '-serial', `file:${inFolder('serial.log')}`],
      ...['-kernel', inFolder('vmlinuz'), '-initrd', inFolder('initrd'), '-append', 'root=/dev/vda rw console=ttyS0 quiet'], // prettier-ignore
      // The guest's own cache is lost with a power cut; what it flushed is in the file.
      ...['-drive', `file=${inFolder('disk.img')},format=raw,if=virtio,cache=writeback`],
      ...['-netdev', ['user', 'id=n', ...forwards].join(), '-device', 'virtio-net-pci,netdev=n']
    ],
    { stdio: ['ignore', log, log] }
  )
  await until('ssh answers', () => run('true'), 20)
}

const sshOptions = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR', 'ConnectTimeout=20'].flatMap((option) => ['-o', option]) // prettier-ignore

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

let cookie = ''
async function call(method, path, body) {
  const response = await fetch(`http://127.0.0.1:${ports.panel}/api${path}`, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(120_000)
  })
  const [set] = response.headers.getSetCookie()
  if (set) cookie = set.split(';')[0]
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

const isHealthy = async () => (await call('GET', '/health')).status === 'ok'
const deploymentOf = (project, id) => call('GET', `/projects/${project}/deployments/${id}`)
const deploys = (project, id) =>
  until(`deployment ${id}`, async () => {
    const { status, buildLogs } = await deploymentOf(project, id)
    if (status === 'FAILED') console.log(buildLogs)
    return ['RUNNING', 'FAILED', 'CANCELLED'].includes(status) && status
  }, 60) // prettier-ignore
const site = async (hostname) => {
  const { stdout } = await execute('curl', ['-sS', '-m', '60', '-H', `Host: ${hostname}`, `http://127.0.0.1:${ports.web}/`]) // prettier-ignore
  return stdout
}

let link
let project
let hostname
try {
  await step('disk with a minimal Debian', makeDisk)
  await step('boot', boot)
  await step('system', () => run('. /etc/os-release; echo "$PRETTY_NAME, $(uname -r), $(stat -fc %T /sys/fs/cgroup)"'))
  await step('install.sh to the setup link', async () => {
    const beside = (name) => join(dirname(debian), name)
    await copyIn(debian, `${debian}.minisig`, beside('install.sh'), beside('key.pub'))
    const output = await run(`sh /root/install.sh --key /root/key.pub /root/${basename(debian)}`, 7_200_000)
    link = /http:\S+#(\S+)/.exec(output)?.[1]
    if (!link) throw new Error(output)
  })
  await step('the panel is ready', () => until('health', isHealthy, 60).then(() => 'health ok'))
  await step('administrator and sample project', async () => {
    const person = { name: 'admin', email: 'admin@example.com', password: 'a long password 1' }
    await call('POST', '/auth/register', { ...person, confirmPassword: person.password, setupToken: link })
    const { sampleRepository } = await call('GET', '/system/settings')
    const created = await call('POST', '/projects', { name: 'sample', type: 'NODEJS' })
    project = created.id
    await call('POST', `/projects/${project}/git/connect`, { gitUrl: sampleRepository, branch: 'main' })
  })
  await step('first deployment', async () => {
    const status = await deploys(project, (await call('POST', `/projects/${project}/build`)).id)
    hostname = (await call('GET', `/projects/${project}`)).deployedDomain
    return `${status}, ${hostname}`
  })
  await step('the site answers', async () => (await site(hostname)).length > 0 && 'ok')
  await step('memory limit of the container', () => run('cat $(find /sys/fs/cgroup -path "*docker-*.scope/memory.max" | head -1)')) // prettier-ignore
  await step('doctor', () => run('panel doctor || true').then((text) => text.slice(0, 2_000)))
  await step('reboot', restart)
  await step('everything is back', () => until('health', isHealthy, 60).then(() => until('site', () => site(hostname), 30)).then(() => 'panel and site')) // prettier-ignore
  await step('power cut in a deployment', async () => {
    const { id } = await call('POST', `/projects/${project}/build`)
    await until('build', async () => (await deploymentOf(project, id)).status !== 'QUEUED', 30)
    await cutPower()
    await boot()
    await until('health', isHealthy, 60)
    await until('site', () => site(hostname), 30)
    return `the acknowledged deployment ended ${await deploys(project, id)}, and the site answers`
  })
} finally {
  machine?.kill('SIGKILL')
}

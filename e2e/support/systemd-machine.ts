import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startForwardProxy } from './forward-proxy.ts'
import { makeOwnJobAccounts } from './job-accounts.ts'
import { makeRootDirectory } from './root-directory.ts'

const execute = promisify(execFile)

export interface SystemdMachine {
  address: string
  /** Runs a program inside; resolves with its output and rejects if it fails. */
  run(...argv: string[]): Promise<string>
  /** Whether the program succeeds. */
  succeeds(...argv: string[]): Promise<boolean>
  copyIn(path: string, to: string): Promise<void>
  write(path: string, text: string): Promise<void>
  exists(path: string): boolean
  /** Of a file inside, on this machine. Not below /run and /tmp. */
  pathOf(path: string): string
  remove(): Promise<void>
}

/**
 * A minimal Debian with systemd as PID 1, in namespaces of its own. Of the network it reaches this machine, and package archives through a proxy.
 * Its kernel and cgroups are this machine's, so it cannot reboot.
 */
export async function bootSystemdMachine(suite: 'bookworm' | 'trixie'): Promise<SystemdMachine> {
  const root = await makeRootDirectory()
  await execute('tar', ['-xf', await findTree(suite), '-C', root, '--numeric-owner'])
  await mkdir(join(root, 'old'))
  await makeOwnJobAccounts(join(root, 'etc'))
  const script = `mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/run" && mount -t tmpfs tmpfs "$0/tmp" &&
    mount --rbind /dev "$0/dev" && mount --rbind /sys "$0/sys" && cd "$0" && pivot_root . old && umount -l /old &&
    container=other exec /lib/systemd/systemd --system --log-target=console "$@" </dev/null`
  const isUnified = existsSync('/sys/fs/cgroup/cgroup.controllers')
  const options = isUnified ? [] : ['systemd.legacy_systemd_cgroup_controller=1']
  const namespaces = ['--fork', '--pid', '--mount', '--uts', '--ipc', '--net', '--kill-child']
  const holder = spawn('unshare', [...namespaces, 'sh', '-c', script, root, ...options], { stdio: 'ignore' })
  const pid = await until(async () =>
    Number(await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').catch(() => ''))
  )
  const run = async (...argv: string[]) => {
    const enter = ['-t', String(pid), '-p', '-m', '-u', '-i', '-n', '--', '/usr/bin/env', '-i']
    const env = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LC_ALL=C.UTF-8']
    return (await execute('nsenter', [...enter, ...env, ...argv], { maxBuffer: 2 ** 26 })).stdout.trim()
  }
  const succeeds = (...argv: string[]) =>
    run(...argv).then(
      () => true,
      () => false
    )
  // 198.18.0.0/15 is reserved for network tests (RFC 2544).
  const network = `198.19.${(pid >> 6) & 255}`
  const [host, address] = [`${network}.${(pid & 63) * 4 + 1}`, `${network}.${(pid & 63) * 4 + 2}`]
  const link = `ps${pid}`
  await execute('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', 'uplink', 'netns', String(pid)])
  await execute('ip', ['address', 'add', `${host}/30`, 'dev', link])
  await execute('ip', ['link', 'set', link, 'up'])
  for (const command of [`address add ${address}/30 dev uplink`, 'link set uplink up', 'link set lo up'])
    await until(() => succeeds('ip', ...command.split(' ')))
  const proxy = await startForwardProxy(host)
  await writeFile(join(root, 'etc/apt/apt.conf.d/99proxy'), `Acquire::http::Proxy "${proxy.url}";\n`)
  // Its exit status is 1 when a unit has failed, such as one that needs a kernel of its own.
  await until(() => succeeds('sh', '-c', "systemctl is-system-running | grep -qE '^(running|degraded)$'"))
  return {
    address,
    run,
    succeeds,
    copyIn: (path, to) => cp(path, join(root, to)),
    write: (path, text) => writeFile(join(root, path), text),
    exists: (path) => existsSync(join(root, path)),
    pathOf: (path) => join(root, path),
    async remove() {
      process.kill(pid, 'SIGKILL')
      await proxy.close()
      await until(async () => !existsSync(`/proc/${pid}`))
      await execute('ip', ['link', 'delete', link]).catch(() => {}) // Gone with its peer.
      await rm(root, { recursive: true, force: true })
    }
  }
}

/** Made once for all runs. */
async function findTree(suite: string): Promise<string> {
  const path = join(tmpdir(), `panel-systemd-${suite}.tar`)
  if (existsSync(path)) return path
  const packages = 'systemd,systemd-sysv,dbus,iproute2,procps'
  await execute('mmdebstrap', ['--quiet', '--variant=minbase', `--include=${packages}`, suite, `${path}.new`, '--format=tar']) // oxfmt-ignore
  await rename(`${path}.new`, path)
  return path
}

async function until<T>(probe: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(200)) {
    const found = await probe()
    if (found) return found
  }
  throw new Error('The machine did not start')
}

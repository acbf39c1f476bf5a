import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeOwnJobAccounts } from './job-accounts.ts'
import { kill } from './processes.ts'

const execute = promisify(execFile)

export interface Machine {
  pid: number
  address: string
  hostAddress: string
  enter(...argv: string[]): [string, ...string[]]
  run(...argv: string[]): Promise<string>
  runtimePath(path: string): string
  pids(): Promise<number[]>
  /** Kills every process at once, as a power failure, and empties /run. */
  cutPower(): Promise<void>
  remove(): Promise<void>
}

/**
 * A nested machine with its own network, /etc, /run and engine data; programs and other files are shared. Its engine is not
 * started yet; the images are ready. Tests can break its engine without affecting others.
 */
export async function createMachine(images: readonly string[]): Promise<Machine> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-machine-'))
  const [runDirectory, engineData, etc] = [join(directory, 'run'), join(directory, 'docker'), join(directory, 'etc')]
  for (const path of [runDirectory, engineData]) await mkdir(path)
  await execute('cp', ['--archive', '/etc', etc])
  await makeOwnJobAccounts(etc)
  const script = `mount --bind ${etc} /etc && mount --bind ${runDirectory} /run && mkdir -p /var/lib/docker && mount --bind ${engineData} /var/lib/docker
    ip link set lo up && echo ready && exec sleep infinity`
  const holder = spawn('unshare', ['--net', '--mount', '--propagation', 'private', '--', 'sh', '-ec', script], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(holder.stdout, 'data')
  const pid = holder.pid!
  const namespace = await readlink(`/proc/${pid}/ns/net`)

  // 198.18.0.0/15 is reserved for network tests (RFC 2544). The pid keeps concurrent machines apart.
  const network = `198.18.${(pid >> 6) & 255}`
  const [hostAddress, address] = [`${network}.${(pid & 63) * 4 + 1}`, `${network}.${(pid & 63) * 4 + 2}`]
  const enter = (...argv: string[]): [string, ...string[]] => [
    'nsenter',
    `--net=/proc/${pid}/ns/net`,
    `--mount=/proc/${pid}/ns/mnt`,
    '--',
    ...argv
  ]
  const run = async (...argv: string[]) => {
    const [file, ...args] = enter(...argv)
    return (await execute(file, args, { maxBuffer: 64 * 1024 * 1024 })).stdout.trim()
  }
  const link = `pm${pid}`
  await execute('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', 'uplink', 'netns', String(pid)])
  await execute('ip', ['address', 'add', `${hostAddress}/30`, 'dev', link])
  await execute('ip', ['link', 'set', link, 'up'])
  await run('ip', 'address', 'add', `${address}/30`, 'dev', 'uplink')
  await run('ip', 'link', 'set', 'uplink', 'up')

  const pids = async () => {
    const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    const known = new Map<number, { parent: number; isInside: boolean }>()
    for (const candidate of all) {
      const status = await readFile(`/proc/${candidate}/status`, 'utf8').catch(() => undefined)
      if (status === undefined || /^State:\tZ/m.test(status)) continue
      const isInside = (await readlink(`/proc/${candidate}/ns/net`).catch(() => '')) === namespace
      known.set(candidate, { parent: Number(/^PPid:\t(\d+)$/m.exec(status)?.[1]), isInside })
    }
    // Containers have their own network namespaces; their processes descend from the engine.
    const belongs = (candidate: number): boolean => {
      const found = known.get(candidate)
      return found !== undefined && (found.isInside || belongs(found.parent))
    }
    return [...known.keys()].filter((candidate) => candidate !== pid && belongs(candidate))
  }
  const killAll = async () => {
    for (let left = await pids(); left.length > 0; left = await pids()) {
      for (const one of left) kill(one, 'SIGKILL')
      await sleep(50)
    }
  }
  const emptyRun = async () => {
    for (const name of await readdir(runDirectory)) {
      // Mounts of the engine are lost with the power.
      await run('sh', '-c', `grep -o ' /run/${name}[^ ]*' /proc/self/mounts | sort -r | xargs -rn 1 umount -l || true`)
      await rm(join(runDirectory, name), { recursive: true, force: true })
    }
  }
  const machine: Machine = {
    pid,
    address,
    hostAddress,
    enter,
    run,
    pids,
    runtimePath: (path) => join(runDirectory, relative('/run', path)),
    async cutPower() {
      await killAll()
      await emptyRun()
    },
    async remove() {
      await killAll()
      holder.kill('SIGKILL')
      await rm(directory, { recursive: true, force: true })
    }
  }
  await loadImages(machine, images)
  return machine
}

/** Connects two machines without this one; resolves with their addresses. */
export async function connectMachines(one: Machine, other: Machine): Promise<[string, string]> {
  const network = `198.19.${(one.pid >> 6) & 255}`
  const addresses: [string, string] = [`${network}.${(one.pid & 63) * 4 + 1}`, `${network}.${(one.pid & 63) * 4 + 2}`]
  const name = 'cable'
  const ends = [
    'name',
    name,
    'netns',
    String(one.pid),
    'type',
    'veth',
    'peer',
    'name',
    name,
    'netns',
    String(other.pid)
  ]
  await execute('ip', ['link', 'add', ...ends])
  for (const [index, machine] of [one, other].entries()) {
    await machine.run('ip', 'address', 'add', `${addresses[index]}/30`, 'dev', name)
    await machine.run('ip', 'link', 'set', name, 'up')
  }
  return addresses
}

async function loadImages(machine: Machine, images: readonly string[]): Promise<void> {
  if (images.length === 0) return
  const [file, ...args] = machine.enter('dockerd', '--live-restore')
  const engine = spawn(file, args, { stdio: 'ignore' })
  while (
    !(await machine.run('docker', 'version').then(
      () => true,
      () => false
    ))
  )
    await sleep(100)
  const saving = spawn('docker', ['save', ...images], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [load, ...loadArgs] = machine.enter('docker', 'load', '--quiet')
  const loading = spawn(load, loadArgs, { stdio: [saving.stdout, 'ignore', 'inherit'] })
  const [code] = (await once(loading, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`docker load ended with ${code}`)
  engine.kill('SIGTERM')
  await once(engine, 'exit')
}

import { basename, join } from 'node:path'
import { oomScore } from '../process/oom-score.ts'
import { type ContainerLimits, type ContainerSpec, EngineError } from './container-engine.ts'

// These leave the container's own network namespace or share a network with foreign containers.
const reservedNetworks = ['host', 'none', 'bridge', 'default']

interface Engine {
  publishAddress?: string
  bindRoots?: readonly string[] | undefined
  cgroupParent?: string | undefined
  storage?: { StorageOpt?: { size: string } }
  cpus?: number | undefined
}

/** An allowlist: no privileges, capabilities, devices, host namespaces, or host directories outside `bindRoots`. */
export function containerCreateBody(
  spec: ContainerSpec,
  { publishAddress = '127.0.0.1', bindRoots = [], cgroupParent, storage = {}, cpus }: Engine = {}
): object {
  refuseUnsafe(spec, bindRoots)
  const port = `${spec.containerPort}/tcp`
  const program = spec.oneOff ?? spec.program
  return {
    Image: spec.image,
    Labels: { ...spec.labels },
    Env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
    ...(spec.command === undefined ? {} : { Cmd: [...spec.command] }),
    ...(program === undefined ? {} : { Entrypoint: program.slice(0, 1), Cmd: program.slice(1) }),
    User: spec.user,
    // An image's health check runs outside the limits below, as often as the image wants (ADR 9).
    Healthcheck: { Test: ['NONE'] },
    ExposedPorts: { [port]: {} },
    StopTimeout: 10,
    HostConfig: {
      // Without an init, PID 1 ignores SIGTERM and every stop takes the whole grace period.
      Init: true,
      Privileged: false,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      ...(cgroupParent === undefined ? {} : { CgroupParent: cgroupParent }),
      OomScoreAdj: oomScore.tenant,
      ...resourceLimits(spec, cpus),
      ReadonlyRootfs: spec.readOnlyRoot,
      ...storage,
      Tmpfs: { '/tmp': 'size=64m,mode=1777,nosuid,nodev' },
      Mounts: [
        // Not `Binds`: it creates missing source directories as root.
        ...spec.binds.map(({ source, target, readOnly = false }) => ({
          Type: 'bind',
          Source: source,
          Target: target,
          ...(readOnly && { ReadOnly: true }),
          BindOptions: { Propagation: 'private', NonRecursive: true }
        })),
        ...spec.volumes.map(({ name, target }) => ({
          Type: 'volume',
          Source: name,
          Target: target,
          VolumeOptions: { NoCopy: false, Labels: { ...spec.labels }, DriverConfig: { Name: 'local', Options: {} } }
        }))
      ],
      PortBindings:
        spec.hostPort === undefined ? {} : { [port]: [{ HostIp: publishAddress, HostPort: String(spec.hostPort) }] },
      NetworkMode: spec.network,
      RestartPolicy: { Name: spec.oneOff === undefined ? 'unless-stopped' : 'no' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } }
    },
    NetworkingConfig: {
      EndpointsConfig: {
        [spec.network]: {
          IPAMConfig: { IPv4Address: spec.address },
          ...(spec.alias !== undefined && { Aliases: [spec.alias] })
        }
      }
    }
  }
}

/** `available`: CPUs of the machine, at most as many as a container can have. */
export const resourceLimits = ({ memoryBytes, cpus, pids }: ContainerLimits, available = cpus): object => ({
  PidsLimit: pids,
  Memory: memoryBytes,
  MemorySwap: memoryBytes,
  NanoCpus: Math.round(Math.min(cpus, available) * 1e9)
})

/** Zero means "no limit" to the engine, and some names have a special meaning. */
function refuseUnsafe(spec: ContainerSpec, bindRoots: readonly string[]): void {
  const problem = [
    [!/^\d+:\d+$/.test(spec.user), 'the user must be uid:gid'],
    [reservedNetworks.includes(spec.network) || spec.network.includes(':'), `the network ${spec.network} is reserved`],
    [!(spec.memoryBytes > 0 && spec.cpus > 0 && spec.pids > 0), 'memory, CPU and process limits must be positive'],
    [
      ![spec.containerPort, ...(spec.hostPort === undefined ? [] : [spec.hostPort])].every(isPort),
      'a port must be between 1 and 65535'
    ],
    [
      spec.volumes.some(({ name }) => !/^[a-zA-Z0-9][\w.-]+$/.test(name)),
      'a volume name may contain only letters, digits, _, . and -'
    ],
    [
      spec.binds.some(({ source }) => !bindRoots.some((root) => isBelow(source, root))),
      'only project directories can be mounted from the host'
    ],
    [Object.keys(spec.env).some((name) => !/^[^=\0]+$/.test(name)), 'a variable name is empty or contains = or NUL'],
    [Object.values(spec.env).some((value) => value.includes('\0')), 'a variable contains NUL']
  ].find(([found]) => found)
  if (problem) throw new EngineError(`Container ${spec.name}: ${String(problem[1])}`, 400)
}

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536

/** Directly below, without anything that the kernel resolves to another path. */
const isBelow = (path: string, root: string): boolean =>
  path === join(root, basename(path)) && /^[a-zA-Z0-9]+$/.test(basename(path))

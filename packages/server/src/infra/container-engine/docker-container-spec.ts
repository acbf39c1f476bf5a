import { basename, join } from 'node:path'
import { oomScore } from '../process/oom-score.ts'
import { type ContainerSpec, EngineError } from './container-engine.ts'

/** Networks that would take a container out of its own network namespace, or put it beside foreign containers. */
const reservedNetworks = ['host', 'none', 'bridge', 'default']

/**
 * The body of "create container". What it does not name, no container of ours can have: no privilege, capability, device,
 * namespace of the host, nor a directory of the host but one of `bindRoot`.
 *
 * A new named volume takes owner, mode and content of its target directory in the image. An image whose user has no name
 * therefore makes that directory itself, with mode 1777 or the right owner; without it the volume is root's and read-only
 * to the container.
 */
export function containerCreateBody(
  spec: ContainerSpec,
  bindRoot?: string,
  cgroupParent?: string,
  storage: { StorageOpt?: { size: string } } = {}
): object {
  refuseUnsafe(spec, bindRoot)
  const port = `${spec.containerPort}/tcp`
  return {
    Image: spec.image,
    Labels: { ...spec.labels },
    Env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
    ...(spec.command === undefined ? {} : { Cmd: [...spec.command] }),
    User: spec.user,
    // An image's own health check runs outside the limits below, as often as the image asks (ADR 9).
    Healthcheck: { Test: ['NONE'] },
    ExposedPorts: { [port]: {} },
    StopTimeout: 10,
    HostConfig: {
      // Without init, a process that is PID 1 ignores SIGTERM, and every stop takes the whole grace period.
      Init: true,
      Privileged: false,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      ...(cgroupParent === undefined ? {} : { CgroupParent: cgroupParent }),
      OomScoreAdj: oomScore.tenant,
      PidsLimit: spec.pids,
      Memory: spec.memoryBytes,
      MemorySwap: spec.memoryBytes,
      NanoCpus: Math.round(spec.cpus * 1e9),
      ReadonlyRootfs: spec.readOnlyRoot,
      ...storage,
      Tmpfs: { '/tmp': 'size=64m,mode=1777,nosuid,nodev' },
      Mounts: [
        // Not `Binds`: the engine would make a directory, of root's, in the place of one that is missing.
        ...spec.binds.map(({ source, target }) => ({
          Type: 'bind',
          Source: source,
          Target: target,
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
        spec.hostPort === undefined ? {} : { [port]: [{ HostIp: '127.0.0.1', HostPort: String(spec.hostPort) }] },
      NetworkMode: spec.network,
      RestartPolicy: { Name: 'unless-stopped' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } }
    },
    NetworkingConfig: { EndpointsConfig: { [spec.network]: { IPAMConfig: { IPv4Address: spec.address } } } }
  }
}

/** Zero means "no limit" to the engine, and some names mean more than a name: neither may come through. */
function refuseUnsafe(spec: ContainerSpec, bindRoot: string | undefined): void {
  const problem = [
    [!/^\d+:\d+$/.test(spec.user), 'the user must be uid:gid'],
    [reservedNetworks.includes(spec.network) || spec.network.includes(':'), `the network ${spec.network} is reserved`],
    [!(spec.memoryBytes > 0 && spec.cpus > 0 && spec.pids > 0), 'memory, CPU and process limits must be positive'],
    [
      ![spec.containerPort, ...(spec.hostPort === undefined ? [] : [spec.hostPort])].every(isPort),
      'a port must be between 1 and 65535'
    ],
    [spec.volumes.some(({ name }) => !/^[a-zA-Z0-9][\w.-]+$/.test(name)), 'a volume needs a plain name'],
    [
      spec.binds.some(({ source }) => !isBelow(source, bindRoot)),
      'it may have no directory of the host but a project’s'
    ],
    [Object.keys(spec.env).some((name) => !/^[^=\0]+$/.test(name)), 'a variable name is empty or holds = or NUL'],
    [Object.values(spec.env).some((value) => value.includes('\0')), 'a variable holds NUL']
  ].find(([found]) => found)
  if (problem) throw new EngineError(`Container ${spec.name}: ${String(problem[1])}`, 400)
}

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536

/** Directly below, as it is written: nothing in it that the kernel would read as another place. */
const isBelow = (path: string, root: string | undefined): boolean =>
  root !== undefined && path === join(root, basename(path)) && /^[a-zA-Z0-9]+$/.test(basename(path))

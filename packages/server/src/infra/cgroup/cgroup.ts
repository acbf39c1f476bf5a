/** Limits of all processes in a cgroup together. Omitted: no limit, default weight. */
export interface CgroupLimits {
  memoryBytes?: number | undefined
  cpus?: number | undefined
  pids?: number | undefined
  /** CPU share relative to siblings under contention; default 100. Also disk I/O if the scheduler supports weights. */
  weight?: number | undefined
}

/** Names from the root; letters and digits only, because systemd interprets dashes. */
export type CgroupPath = readonly [string, ...string[]]

export interface Cgroups {
  /** Creates or updates it with exactly these limits; resolves with the engine's cgroup parent. */
  ensure(path: CgroupPath, limits: CgroupLimits): Promise<string>
  /** Its path below the root of the cgroup file system, which BuildKit takes as the parent, whatever the engine's driver. */
  directory(path: CgroupPath): string
  /** Moves a process into an existing cgroup; its future children inherit it. */
  enter(path: CgroupPath, pid: number): Promise<void>
  listPids(path: CgroupPath): Promise<number[]>
  /** Removes it with its children; resolves with false if a process remains in one. */
  remove(path: CgroupPath): Promise<boolean>
}

export class CgroupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CgroupError'
  }
}

export function checkPath(path: CgroupPath): void {
  const bad = path.find((name) => !/^[A-Za-z0-9]+$/.test(name))
  if (bad !== undefined) throw new TypeError(`Invalid cgroup name: ${JSON.stringify(bad)}`)
}

/** Of everything in a cgroup together. What is left out has no limit, and its weight is that of its neighbours. */
export interface CgroupLimits {
  memoryBytes?: number | undefined
  /** Cores. */
  cpus?: number | undefined
  pids?: number | undefined
  /** Against its neighbours where they want more than there is: 100 is what one without has. Of the disk too, where its scheduler knows weights. */
  weight?: number | undefined
}

/** Names from the top, of letters and digits only: systemd reads more into a dash. */
export type CgroupPath = readonly [string, ...string[]]

/**
 * The kernel's cgroups, as the limit of many processes together: of version 1 or 2, by files or, where it owns them, by systemd. Rejects with
 * CgroupError where this machine does not let us.
 */
export interface Cgroups {
  /** Makes it, with these limits and no others; resolves with what the container engine takes as cgroup parent. Safe to repeat. */
  ensure(path: CgroupPath, limits: CgroupLimits): Promise<string>
  /** Moves a process into one that there is: what it starts from then on is in it too. */
  enter(path: CgroupPath, pid: number): Promise<void>
  /** The processes in it and below. */
  listPids(path: CgroupPath): Promise<number[]>
  /** With what lies in it; tells whether all of it is gone: what a process is in stays. */
  remove(path: CgroupPath): Promise<boolean>
}

/** The machine does not let us make cgroups, in a sentence for its administrator. */
export class CgroupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CgroupError'
  }
}

export function checkPath(path: CgroupPath): void {
  const bad = path.find((name) => !/^[A-Za-z0-9]+$/.test(name))
  if (bad !== undefined) throw new TypeError(`Not a name of a cgroup: ${JSON.stringify(bad)}`)
}

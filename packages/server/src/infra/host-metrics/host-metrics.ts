/** Processor time since the start, in whatever unit: only shares of it mean something. */
export interface CpuTime {
  busy: number
  total: number
}

export interface Traffic {
  received: number
  sent: number
}

/** A machine at a moment. What cannot be read is undefined. */
export interface HostReading {
  /** By the monotonic clock (time/monotonic-clock.ts). */
  atMs: number
  /** Of this run of the machine: counters of another one have begun anew. */
  bootId: string | undefined
  cpu: CpuTime | undefined
  /** By the number of the core: they come and go. */
  cores: ReadonlyMap<number, CpuTime>
  memory: { used: number; total: number } | undefined
  disk: { used: number; total: number } | undefined
  /** Over 1, 5 and 15 minutes. */
  loadAverage: readonly number[] | undefined
  uptimeSeconds: number | undefined
  network: Traffic | undefined
}

export interface ContainerReading {
  atMs: number
  /** Of all cores, since its start. */
  cpuSeconds: number | undefined
  memoryUsed: number | undefined
  /** Undefined without one. */
  memoryLimit: number | undefined
  network: Traffic | undefined
}

/** What the kernel says of the machine and of its containers. Nothing here asks the container engine. */
export interface HostMetrics {
  /** With the file system of this directory. Never rejects. */
  readHost(directory: string): Promise<HostReading>
  /** Of those of these ids that run. Never rejects. */
  readContainers(ids: readonly string[]): Promise<ReadonlyMap<string, ContainerReading>>
}

/** CPU time since boot in an arbitrary unit: only ratios are meaningful. */
export interface CpuTime {
  busy: number
  total: number
}

export interface Traffic {
  received: number
  sent: number
}

export interface HostReading {
  atMs: number
  /** Identifies the boot: counters restart with it. */
  bootId: string | undefined
  cpu: CpuTime | undefined
  /** By core number; cores can come and go. */
  cores: ReadonlyMap<number, CpuTime>
  memory: { used: number; total: number } | undefined
  disk: { used: number; total: number } | undefined
  loadAverage: readonly number[] | undefined
  uptimeSeconds: number | undefined
  network: Traffic | undefined
}

export interface ContainerReading {
  atMs: number
  cpuSeconds: number | undefined
  memoryUsed: number | undefined
  memoryLimit: number | undefined
  network: Traffic | undefined
}

/** Kernel metrics of the machine and its containers, read without the container engine. */
export interface HostMetrics {
  /** Includes the file system of this directory. Never rejects. */
  readHost(directory: string): Promise<HostReading>
  /** Readings of those that run. Never rejects. */
  readContainers(ids: readonly string[]): Promise<ReadonlyMap<string, ContainerReading>>
}

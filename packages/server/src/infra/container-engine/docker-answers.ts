/** What we read of the engine's answers (API 1.41), in its own words. */

export interface EngineInfo {
  DockerRootDir?: string
  CgroupDriver?: string
  /** Of its storage. */
  Driver?: string
  DriverStatus?: readonly (readonly [string, string])[]
  CgroupVersion?: string
  ServerVersion?: string
}

export interface ListedContainer {
  Id: string
  Names: string[]
  Labels: Record<string, string>
  State: string
  Image: string
  /** Only where sizes are asked for, and of a container that has written something. */
  SizeRw?: number
  /** Seconds since 1970. */
  Created: number
  NetworkSettings: { Networks: Record<string, { IPAddress: string; NetworkID: string }> }
}

export interface InspectedContainer {
  Id: string
  Name: string
  RestartCount: number
  Config: { Labels: Record<string, string>; Image: string }
  State: {
    Status: string
    Running: boolean
    Restarting: boolean
    ExitCode: number
    OOMKilled: boolean
    StartedAt: string
  }
  HostConfig: { CgroupParent?: string; ReadonlyRootfs?: boolean }
  /** Of its own layer, by the driver that keeps it. */
  GraphDriver?: { Data?: { UpperDir?: string } | null }
  NetworkSettings: { Networks: Record<string, { IPAddress: string }> }
}

/** Of one that does not run, the parts have nothing in them. */
export interface ContainerStats {
  /** Nanoseconds since its start. */
  cpu_stats?: { cpu_usage?: { total_usage?: number } }
  /** `stats` has the kernel's names, which differ between the versions of cgroups. */
  memory_stats?: { usage?: number; limit?: number; stats?: Record<string, number> }
  networks?: Record<string, { rx_bytes: number; tx_bytes: number }>
}

export interface ListedImage {
  Id: string
  ParentId: string
  RepoTags: string[] | null
  Labels: Record<string, string> | null
  Size: number
  /** Seconds since 1970. */
  Created: number
}

/** A layer of an image, newest first. */
export interface ListedLayer {
  /** `<missing>` of one that was pulled. */
  Id: string
  CreatedBy: string
  Size: number
}

export interface InspectedImage {
  Id: string
  Parent: string
  RepoTags: string[] | null
  RepoDigests: string[] | null
  Size: number
  Created: string
  Config: {
    Labels: Record<string, string> | null
    ExposedPorts?: Record<string, object>
    User: string
    OnBuild: string[] | null
  }
}

export interface ListedNetwork {
  Id: string
  Name: string
  Created: string
  Labels: Record<string, string> | null
  Options?: Record<string, string> | null
  IPAM?: { Config?: { Subnet?: string; Gateway?: string }[] | null }
}

export interface ListedVolumes {
  Volumes: { Name: string; Labels: Record<string, string> | null }[] | null
}

export interface EngineInfo {
  DockerRootDir?: string
  CgroupDriver?: string
  NCPU?: number
  Driver?: string
  DriverStatus?: readonly (readonly [string, string])[]
  CgroupVersion?: string
  ServerVersion?: string
  LiveRestoreEnabled?: boolean
}

export interface ListedContainer {
  Id: string
  Names: string[]
  Labels: Record<string, string>
  State: string
  Image: string
  ImageID: string
  /** Only if sizes are requested and the container has written something. */
  SizeRw?: number
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
    /** 0 if it is not running. */
    Pid: number
  }
  HostConfig: { Memory?: number; CgroupParent?: string; ReadonlyRootfs?: boolean }
  GraphDriver?: { Data?: { UpperDir?: string } | null }
  NetworkSettings: { Networks: Record<string, { IPAddress: string }> }
}

/** Members are empty if the container is not running. */
export interface ContainerStats {
  cpu_stats?: { cpu_usage?: { total_usage?: number } }
  /** `stats` uses the kernel's names, which differ between cgroup v1 and v2. */
  memory_stats?: { usage?: number; limit?: number; stats?: Record<string, number> }
  networks?: Record<string, { rx_bytes: number; tx_bytes: number }>
}

export interface ListedImage {
  Id: string
  ParentId: string
  RepoTags: string[] | null
  Labels: Record<string, string> | null
  Size: number
  Created: number
}

export interface ListedLayer {
  /** `<missing>` for pulled layers. */
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
  Architecture: string
  RootFS?: { Layers?: string[] | null }
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

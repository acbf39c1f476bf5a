import { z } from 'zod'

export const ContainerSize = z
  .object({
    memoryMb: z.int().min(64).max(1_048_576).meta({ description: 'Memory in MiB, without swap.' }),
    cpus: z.number().min(0.1).max(1024).meta({ description: 'CPU cores; 0.5 is half of one.' }),
    pids: z.int().min(32).max(4096).default(256).meta({ description: 'Processes and threads.' }),
    diskMb: z
      .int()
      .min(16)
      .max(1_048_576)
      .nullable()
      .default(null)
      .meta({ description: 'What a container may write outside its volumes, in MiB. Null: as set for the server.' })
  })
  .meta({ id: 'ContainerSize' })
export type ContainerSize = z.infer<typeof ContainerSize>

export const sizePresets = {
  small: { memoryMb: 256, cpus: 0.5, pids: 256, diskMb: null },
  medium: { memoryMb: 512, cpus: 1, pids: 256, diskMb: null },
  large: { memoryMb: 1024, cpus: 2, pids: 512, diskMb: null },
  xlarge: { memoryMb: 2048, cpus: 4, pids: 1024, diskMb: null }
} as const satisfies Record<string, ContainerSize>
export type SizePreset = keyof typeof sizePresets

export const maxInstances = 10

/** Members of a project's settings. */
export const sizeSettings = {
  instances: z
    .int()
    .min(1)
    .max(maxInstances)
    .optional()
    .meta({
      description:
        'Containers that serve the site, each with the size of the project; requests go to the one with the fewest connections. Default 1. ' +
        'A change replaces the running containers without downtime. With several machines, the instances of a project that can be on any of them ' +
        '(`keepsFiles` false, no volumes, not `reachable`, no sleep) are spread over those that have its `machineLabels`: none has two more than another. Not for WORDPRESS.'
    }),
  stickySessions: z
    .boolean()
    .optional()
    .meta({ description: 'true: a cookie keeps each visitor at the same of several instances. Default false.' }),
  restartWhenHung: z
    .boolean()
    .optional()
    .meta({
      description:
        'Whether one of several instances is restarted that has not answered the health check of the proxy for a minute. false: it only gets no ' +
        'requests until it answers. Default true.'
    }),
  size: ContainerSize.nullish().meta({
    description:
      'Limits of each container of the project. A change replaces the running container without a build and without downtime. Null: as ' +
      'set for the server. A new WORDPRESS project without it gets 384 MiB if its account has room for that. Within the quotas maxMemoryMb, maxCpus and maxDiskMb of the account.'
  })
}

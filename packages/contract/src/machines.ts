import { z } from 'zod'
import { Id, pageQuery, Pagination, sentencesOf, singleLine, Timestamp } from './common.ts'
import { words } from './details.ts'
import { MachineLabels } from './machine-labels.ts'
import { machineProblemTexts, machineUpgradeFailureTexts, placementTexts } from './machine-texts.ts'
import { ProjectType } from './projects.ts'

/** What is on a machine. One that was added has `SITES`. */
export const machineRoles = ['CONTROL', 'SITES', 'FILES', 'EDGE', 'DNS', 'MAIL', 'DATABASES', 'BUILD'] as const
export const MachineRole = z.enum(machineRoles)
export type MachineRole = z.infer<typeof MachineRole>

export const machineStatuses = ['JOINING', 'ACTIVE', 'PAUSED', 'AWAY'] as const
export const MachineStatus = z.enum(machineStatuses).meta({
  description:
    '`JOINING`: never reached. `PAUSED`: takes no new projects. `AWAY`: missed three checks in a row; all its data stays.'
})
export type MachineStatus = z.infer<typeof MachineStatus>

const MachineName = singleLine(40)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i, words.MACHINE_NAME)
  .meta({ examples: ['m2'] })

const bytes = z.int().nonnegative()

const explained = <Code extends string>(name: string, texts: Readonly<Record<Code, string>>) =>
  z.object({ message: z.string(), sentences: sentencesOf(name, texts) })

export const MachineProblem = explained('MachineProblemCode', machineProblemTexts)
export type MachineProblem = z.infer<typeof MachineProblem>
export const Placement = explained('PlacementCode', placementTexts)
export type Placement = z.infer<typeof Placement>

export const machineUpgradeSteps = ['MOVING', 'INSTALLING', 'CHECKING', 'RETURNING', 'DONE'] as const
export const MachineUpgradeStep = z.enum(machineUpgradeSteps).meta({
  description:
    '`MOVING`: projects leave, as in a drain. `INSTALLING`: the panel is copied there if it has another version, and packages are upgraded. ' +
    '`CHECKING`: until a check finds no problem. `RETURNING`: it takes projects again, and those that have one instance come back. `DONE`: it succeeded.'
})
export type MachineUpgradeStep = z.infer<typeof MachineUpgradeStep>

export const MachineUpgrade = z
  .object({
    step: MachineUpgradeStep,
    startedAt: Timestamp,
    endedAt: Timestamp.nullable().meta({ description: 'Of one that is `DONE`.' }),
    failure: explained('MachineUpgradeFailureCode', machineUpgradeFailureTexts)
      .nullable()
      .meta({ description: 'Why it stopped at this step. The machine stays drained.' })
  })
  .meta({ id: 'MachineUpgrade' })
export type MachineUpgrade = z.infer<typeof MachineUpgrade>

export const Machine = z
  .object({
    id: Id,
    name: MachineName,
    isOwn: z.boolean().meta({ description: 'Whether the panel itself runs there.' }),
    roles: z.array(MachineRole).meta({
      description:
        'What is there. An added machine has `SITES`: containers of projects that keep no files; and `EDGE` if visitors can use it.'
    }),
    labels: z.array(z.string()).meta({ examples: [['region=eu', 'ssd']] }),
    address: z
      .string()
      .nullable()
      .meta({
        examples: ['10.0.0.2'],
        description: 'By which the panel reaches it; of its own machine, the first one.'
      }),
    isEncrypted: z.boolean().meta({
      description: 'Whether the panel reaches the containers there through its encrypted network (WireGuard).'
    }),
    publicIp: z
      .ipv4()
      .nullable()
      .meta({
        examples: ['203.0.113.2'],
        description: 'Where visitors reach it, if it has the role `EDGE`. For the panel’s machine this is a setting.'
      }),
    status: MachineStatus,
    seenAt: Timestamp.nullable().meta({ description: 'Of the last check that reached it.' }),
    isDraining: z.boolean().meta({ description: 'Whether projects leave it: those that can be on another machine.' }),
    problems: z.array(MachineProblem).meta({ description: 'Of the last check.' }),
    upgrade: MachineUpgrade.nullable().meta({
      description: 'The last one. Null as well if the machine was resumed before its end.'
    }),
    system: z
      .string()
      .nullable()
      .meta({ examples: ['Debian GNU/Linux 12 (bookworm)'] }),
    engineVersion: z
      .string()
      .nullable()
      .meta({ examples: ['20.10.24'] }),
    panelVersion: z
      .string()
      .nullable()
      .meta({ examples: ['0.1.0'] }),
    clockSkewMs: z
      .int()
      .nullable()
      .meta({ description: 'Its clock minus that of the panel; 0 if too small to measure.' }),
    processors: z.int().nullable(),
    memory: z.object({ totalBytes: bytes, usedBytes: bytes }).nullable(),
    disk: z.object({ totalBytes: bytes, usedBytes: bytes }).nullable(),
    promised: z
      .object({ memoryBytes: bytes, cpus: z.number().nonnegative() })
      .meta({ description: 'Sum of the limits of all sites and workers there, also of stopped ones.' }),
    projects: z.int(),
    instances: z.int().meta({ description: 'Containers of sites, workers and runs.' }),
    createdAt: Timestamp
  })
  .meta({ id: 'Machine' })
export type Machine = z.infer<typeof Machine>

export const MachineList = z.object({ machines: z.array(Machine) }).meta({ id: 'MachineList' })
export type MachineList = z.infer<typeof MachineList>

export const MachineSite = z
  .object({
    projectId: Id,
    name: z.string(),
    type: ProjectType,
    owner: z.string().meta({ examples: ['Ann'], description: 'Name of the account.' }),
    instances: z.int().meta({ description: 'Containers there.' }),
    placement: Placement.meta({ description: 'Why the project is on this machine, or why it should not be.' })
  })
  .meta({ id: 'MachineSite' })
export type MachineSite = z.infer<typeof MachineSite>

/** What leaves a machine that is drained. */
export const MachineDrain = z
  .object({
    moving: z.int().meta({ description: 'Projects that are started on other machines, a few at a time.' }),
    staying: z.int().meta({ description: 'Projects that stay; the reason of each is its `placement`.' }),
    seconds: z.int().meta({ description: 'How long it takes, from the latest deployments of kept images.' })
  })
  .meta({ id: 'MachineDrain' })
export type MachineDrain = z.infer<typeof MachineDrain>

export const MachineQuery = z.object(pageQuery(50, 200))
export type MachineQuery = z.infer<typeof MachineQuery>

export const MachineDetails = z
  .object({
    machine: Machine,
    sites: z.array(MachineSite),
    drain: MachineDrain.meta({ description: 'What would happen if it were drained now, or is still to come.' }),
    pagination: Pagination
  })
  .meta({ id: 'MachineDetails' })
export type MachineDetails = z.infer<typeof MachineDetails>

export const UpdateMachine = z
  .object({
    name: MachineName,
    labels: MachineLabels.meta({ description: 'Replaces all labels.' }),
    isPaused: z.boolean().meta({
      description:
        'A paused machine takes no new projects, and the DNS records that the panel hosts do not name it; what runs there continues. ' +
        'False also ends a drain, and an upgrade.'
    }),
    isEdge: z.boolean().meta({
      description:
        'Whether visitors can use this machine (role `EDGE`): a reverse proxy there answers for every domain, with its certificates. ' +
        'Sites on added machines are served without the panel’s machine, all others through it.'
    }),
    publicIp: z
      .ipv4()
      .nullable()
      .meta({
        examples: ['203.0.113.2'],
        description:
          'Address for visitors. While the machine is `ACTIVE` and its proxy answers, A records of domains that point to the panel’s machine ' +
          'also name it, in zones that the panel hosts.'
      }),
    isEncrypted: z.boolean().meta({
      description:
        'Whether the traffic between the panel and containers there is encrypted. Can change while no project is on the machine.'
    })
  })
  .partial()
export type UpdateMachine = z.infer<typeof UpdateMachine>

const host = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i
const isHost = (text: string): boolean => host.test(text) || z.ipv6().safeParse(text).success

const hostKey = /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/]{20,2000}={0,2}( |$)/

const SshPort = z.int().min(1).max(65_535)
const HostKey = singleLine(4_000)
  .trim()
  .regex(hostKey, words.MACHINE_HOST_KEY)
  .transform((key) => key.split(' ', 2).join(' '))
  .meta({
    examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kV2d1lMBUuVkzVzNqQbI2oXrZ0xYr0W5W0m1d2Qx3'],
    description: 'Public key of its SSH server, as in /etc/ssh/ssh_host_ed25519_key.pub. No other is accepted.'
  })
const MachineHost = z
  .string()
  .max(253)
  .refine(isHost, { error: words.MACHINE_HOST })
  .meta({ examples: ['10.0.0.2'], description: 'Address at which the panel reaches its SSH server.' })

const isEncrypted = z
  .boolean()
  .optional()
  .meta({
    description:
      'Whether the traffic between the panel and containers there is encrypted (WireGuard; needs one UDP port of the machine). ' +
      'Default: only if the address is public, or a name.'
  })

export const CreateMachine = z.object({
  name: MachineName,
  host: MachineHost,
  port: SshPort.default(22),
  hostKey: HostKey,
  isEncrypted
})
export type CreateMachine = z.infer<typeof CreateMachine>

export const MachineKey = z
  .object({
    publicKey: z
      .string()
      .meta({ examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kV2d1lMBUuVkzVzNqQbI2oXrZ0xYr0W5W0m1d2Qx3'] }),
    command: z.string().meta({ description: 'For root on the machine. It prints `hostKey`.' })
  })
  .meta({ id: 'MachineKey' })
export type MachineKey = z.infer<typeof MachineKey>

export const CreateJoinCommand = z.object({
  name: MachineName,
  host: MachineHost.nullish().meta({
    description:
      'Address at which the panel reaches its SSH server, such as one in a private network. Null: the one that its request comes from.'
  }),
  isEncrypted
})
export type CreateJoinCommand = z.infer<typeof CreateJoinCommand>

export const JoinCommand = z
  .object({
    command: z.string().meta({ description: 'For root on the new machine. Works once.' }),
    expiresAt: Timestamp
  })
  .meta({ id: 'JoinCommand' })
export type JoinCommand = z.infer<typeof JoinCommand>

export const JoinMachine = z.object({
  token: z.string().min(1).max(100).meta({ description: 'Of the command.' }),
  hostKey: HostKey,
  port: SshPort
})
export type JoinMachine = z.infer<typeof JoinMachine>

export const RemoveMachineQuery = z.object({
  lost: z.stringbool().default(false).meta({
    description:
      'For a machine with the status `AWAY` that does not come back: also forgets the containers that it had.'
  })
})
export type RemoveMachineQuery = z.infer<typeof RemoveMachineQuery>

export const MoveSite = z.object({ projectId: Id })
export type MoveSite = z.infer<typeof MoveSite>

export const MovedSite = z.object({ deploymentId: Id }).meta({ id: 'MovedSite' })
export type MovedSite = z.infer<typeof MovedSite>

import type { MachineRole, MachineUpgradeStep } from '@panel/contract/machines'
import type { MachineProblem, MachineUpgradeFailure } from '@panel/contract/machine-texts'
import type { Sentence } from '@panel/contract/sentences'
import { boolean, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, createdAt } from './columns.ts'

/** How the panel reaches a machine. */
export interface NodeSsh {
  host: string
  port: number
  /** Public key of its SSH server: `ssh-ed25519 AAAA…`. */
  hostKey: string
}

/** What the last check read. */
export interface NodeFacts {
  address: string | null
  system: string | null
  processors: number
  memory: { totalBytes: number; usedBytes: number }
  disk: { totalBytes: number; usedBytes: number }
  clockSkewMs: number
  engineVersion: string | null
  panelVersion: string | null
  /** Addresses of the connection between the panel and another machine. */
  link?: { panel: string; machine: string } | null
  /** IPv4 addresses that its containers may ask. */
  nameservers?: string[]
}

/** Addresses of the encrypted network between the panel's machine and another. */
export interface NodeTunnel {
  panel: string
  machine: string
  /** Of the machine; null until it was set up there. */
  publicKey: string | null
  /** Addresses of other machines in it that responded to this one, when it was last checked. */
  reached?: string[]
}

/** The last upgrade of what the panel needs on a machine. */
export interface NodeUpgrade {
  step: MachineUpgradeStep
  /** ISO 8601. */
  startedAt: string
  endedAt: string | null
  /** Projects with one instance that were there before and have not returned. */
  projects: string[]
  /** It took no new projects before, and takes none afterwards. */
  wasPaused: boolean
  /** Why it stopped at this step. */
  failure: Sentence<MachineUpgradeFailure> | null
}

/** Machines of the installation. The panel's own has the installation's id. */
export const nodes = pgTable(
  'nodes',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    roles: text('roles').array().$type<MachineRole[]>().notNull().default([]),
    labels: text('labels').array().notNull().default([]),
    // Null for the panel's own machine.
    ssh: jsonb('ssh').$type<NodeSsh>(),
    // Where visitors reach it.
    publicIp: text('public_ip'),
    // Takes no new projects.
    isPaused: boolean('is_paused').notNull().default(false),
    // What can be on another machine leaves it.
    isDraining: boolean('is_draining').notNull().default(false),
    seenAt: at('seen_at'),
    missedChecks: integer('missed_checks').notNull().default(0),
    facts: jsonb('facts').$type<NodeFacts>(),
    problems: jsonb('problems').$type<Sentence<MachineProblem>[]>().notNull().default([]),
    // Null: the panel reaches its containers without encryption.
    tunnel: jsonb('tunnel').$type<NodeTunnel>(),
    upgrade: jsonb('upgrade').$type<NodeUpgrade>(),
    network: text('network'),
    lastPort: integer('last_port'),
    createdAt: createdAt()
  },
  (t) => [uniqueIndex('nodes_name_key').on(t.name)]
)

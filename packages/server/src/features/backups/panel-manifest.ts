import { BackedUpDatabase } from '@panel/contract/backups'
import { z } from 'zod'
import { StoreDump } from '../../db/store-dump.ts'

const DumpedDatabase = BackedUpDatabase.extend({ sha256: z.string() })

/** `manifest.json` of a backup of the panel. Names roles and no path of the machine, which a restore does not share. */
export const PanelManifest = z.object({
  version: z.literal(1),
  installation: z.string(),
  /** For people who choose between snapshots. */
  address: z.string(),
  panelVersion: z.string(),
  store: StoreDump,
  databases: z.array(DumpedDatabase),
  /** Addresses by the id of their mailbox: an address may belong to another account later. */
  mailboxes: z.record(z.string(), z.string()).default({}),
  /** Directories at the top of the snapshot. */
  directories: z.array(z.string()),
  /** SHA-256 of each file below `panel/`. */
  files: z.record(z.string(), z.string())
})
export type PanelManifest = z.infer<typeof PanelManifest>

/** `manifest.json` of a backup of a project. */
export const ProjectManifest = z.object({ databases: z.array(DumpedDatabase) })

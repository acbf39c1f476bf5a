import { panelTag, projectTag } from '../features/backups/snapshot-tags.ts'
import type { Snapshot } from '../infra/backup-repository/backup-repository.ts'

const prefix = 'installation:'

export interface PanelSnapshot extends Snapshot {
  installation: string
}

/** Snapshots of panels, oldest first. */
export const panelSnapshots = (all: readonly Snapshot[]): PanelSnapshot[] =>
  all.flatMap((snapshot) => {
    const installation = snapshot.tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length)
    return snapshot.tags.includes(panelTag) && installation !== undefined ? [{ ...snapshot, installation }] : []
  })

/** The snapshot to restore: `wanted` is an id or its start, by default the latest. Throws if that is not one. */
export function choosePanelSnapshot(all: readonly Snapshot[], wanted?: string): PanelSnapshot {
  const found = panelSnapshots(all)
  if (found.length === 0)
    throw new Error('The target has no backup of a panel. Backups of single projects are restored in the dashboard.')
  const matching = wanted === undefined ? found : found.filter(({ id }) => id.startsWith(wanted))
  if (matching.length === 0) throw new Error(`The target has no snapshot ${wanted} of a panel. List them with --list.`)
  const installations = [...new Set(matching.map(({ installation }) => installation))]
  if (wanted === undefined ? installations.length > 1 : matching.length > 1)
    throw new Error(
      `The target has backups of ${installations.length} installations: ${installations.join(', ')}. Choose a snapshot with --snapshot; --list shows all of them.`
    )
  return matching.at(-1)!
}

/** Of each project the latest snapshot: it may be newer than the one of the panel, and projects without one are missing. */
export function chooseProjectSnapshots(
  all: readonly Snapshot[],
  projectIds: readonly string[]
): ReadonlyMap<string, Snapshot> {
  const byTag = new Map(all.flatMap((snapshot) => snapshot.tags.map((tag) => [tag, snapshot] as const)))
  return new Map(
    projectIds.flatMap((id) => {
      const snapshot = byTag.get(projectTag(id))
      return snapshot ? [[id, snapshot] as const] : []
    })
  )
}

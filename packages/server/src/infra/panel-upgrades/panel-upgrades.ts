/** The last upgrade that was requested, from its state on disk. */
export interface RequestedUpgrade {
  id: string
  phase: 'requested' | 'trying' | 'reverting' | 'reverted' | 'done'
  from: { version: string }
  to: { version: string }
  requestedAt: string
  endedAt?: string | undefined
  problem?: string | undefined
}

/** Replaces the running version of the panel. */
export interface PanelUpgrades {
  /** Why this process cannot be upgraded; undefined if it can. */
  findObstacle(): Promise<string | undefined>
  find(): Promise<RequestedUpgrade | undefined>
  /** Verifies and unpacks a release and requests the upgrade. Rejects with a sentence for the administrator. */
  request(source: string): Promise<RequestedUpgrade>
}

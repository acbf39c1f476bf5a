export interface ServerRule {
  action: 'ALLOW' | 'DENY'
  protocol: 'TCP' | 'UDP' | 'TCP_UDP' | 'ANY'
  /** Ports and ranges such as `8000-8100`; empty: every port. */
  ports: readonly string[]
  /** An address or a CIDR; null: everyone. */
  source: string | null
}

export interface ServerRuleset {
  defaultAction: 'ALLOW' | 'DENY'
  rules: readonly ServerRule[]
}

/** `reverted` also means unknown: a change that was never loaded leaves nothing. */
export type ChangeOutcome = 'pending' | 'confirmed' | 'reverted'

/**
 * The firewall in front of the server's own ports and those that containers publish. Without a ruleset there is no
 * table at all. Rejects with AdapterError `firewall-unavailable`.
 */
export interface ServerFirewall {
  /** Runs one change at a time on this machine, also across processes, so that rows and packet filter stay in step. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /** Brings the packet filter to this state unless it has it already. Ends every trial. */
  apply(ruleset: ServerRuleset | undefined): Promise<void>
  /**
   * Loads a ruleset on trial. Before that it starts a process that outlives the panel and restores the state before the
   * trial after `seconds`, unless the change was confirmed.
   */
  tryOut(id: string, ruleset: ServerRuleset, seconds: number): Promise<void>
  confirm(id: string): Promise<ChangeOutcome>
  revert(id: string): Promise<ChangeOutcome>
  /** Reverts a trial whose rules are no longer loaded, for example after a reboot. */
  outcomeOf(id: string): Promise<ChangeOutcome>
  /** TCP ports of the machine's SSH server; empty if there is none. */
  listSshPorts(): Promise<number[]>
}

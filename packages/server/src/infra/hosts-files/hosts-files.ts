/** Files that are /etc/hosts in the containers of an account (hosts(5)). */
export interface HostsFiles {
  /** Running containers see the change. Resolves with the path, for a mount. */
  write(uid: number, text: string): Promise<string>
  /** Uids of the accounts that have one. */
  list(): Promise<number[]>
  remove(uid: number): Promise<void>
}

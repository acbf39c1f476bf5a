import type { Run } from '../process/process.ts'

/** What the verbs work on. Whoever calls them has no say in it: of the panel's own configuration, or of a file that is root's. */
export interface HostContext {
  run: Run
  projectsDirectory: string
  /** The group that sshd confines, and the folder of its accounts' public keys: root's. */
  group: string
  keysDirectory: string
  /** Of the machine's own SSH server. Default /etc/ssh. */
  sshDirectory?: string
}

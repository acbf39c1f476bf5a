import type { Run } from '../process/process.ts'

/** Configuration of the verbs. Comes from the panel's configuration or a file owned by root, never from callers. */
export interface HostContext {
  run: Run
  projectsDirectory: string
  group: string
  keysDirectory: string
  sshDirectory?: string
}

import type { RemedyCode } from '@panel/contract/remedy-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { Config, VariableName } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Run } from '../infra/process/process.ts'
import type { Finding } from './finding.ts'
import type { ManagedProgram } from './managed-program.ts'

export type ProgramName =
  | 'store'
  | 'containerEngine'
  | 'postgresql'
  | 'mysql'
  | 'sftpServer'
  | 'nameServer'
  | 'reverseProxy'
  | 'imapServer'
  | 'mailSigner'
  | 'mailRewriter'
  | 'mailFilterStore'
  | 'mailFilter'
  | 'mailTransfer'

/** Also the host firewall, which is not a program but a dependency. */
export type Need = ProgramName | 'hostFirewall'

export interface Port {
  port: number
  /** Where containers can reach it: at every address, at their network's gateway, or not at all. */
  containers: 'anywhere' | 'gateway' | 'nowhere'
}

export interface MachineContext {
  config: Config
  env: Readonly<Record<string, string | undefined>>
  run: Run
  engine: Dependencies['engine']
  step: (text: string) => void
}

interface PanelContext extends MachineContext {
  deps: Dependencies
  panelPort: number
}

export type ProgramHealth = Pick<Program, 'name' | 'ping' | 'remedy'>

export interface Program<Context = PanelContext> {
  name: ProgramName
  title: string
  packages: readonly string[]
  /** Skip the program if its packages are unavailable or would replace installed ones. Default false. */
  yields?: true
  /** Dependencies that must run before it starts and stop after it. */
  needs: readonly Need[]
  isRequired: boolean
  /** Whether this configuration uses it; otherwise it is in no list. Default true. */
  isUsed?(config: Config): boolean
  isOurs(config: Config): boolean
  ports(config: Config): readonly Port[]
  portHint: string
  /** Undefined if an external one serves instead. Rejects with NothingToStart or ProgramError. */
  open(context: Context): Promise<ManagedProgram | undefined>
  /** For programs that `up` starts on first use. Others always run. */
  onDemand?: {
    isNeeded(context: Context): Promise<boolean>
    until: string
  }
  onStart?(context: Context): Promise<void>
  ping(deps: Dependencies): Promise<unknown>
  remedy: Sentence<RemedyCode>
  inspect(config: Config): Promise<Finding>
}

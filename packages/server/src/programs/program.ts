import type { RemedyCode } from '@panel/contract/remedy-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { Config, VariableName } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Run } from '../infra/process/process.ts'
import type { Finding } from './finding.ts'
import type { ManagedProgram } from './managed-program.ts'

/** Names used in GET /api/health. */
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

/** Available before the panel listens. */
export interface MachineContext {
  config: Config
  env: Readonly<Record<string, string | undefined>>
  run: Run
  engine: Dependencies['engine']
  /** Shows a line to the administrator. */
  step: (text: string) => void
}

/** What a program is opened with that serves the panel's own state. */
export interface PanelContext extends MachineContext {
  deps: Dependencies
  panelPort: number
}

/** What GET /api/health needs of a program. */
export type ProgramHealth = Pick<Program, 'name' | 'ping' | 'remedy'>

/**
 * Entry of the program list: what the configuration alone determines (packages, firewall, doctor, health), and how to
 * open it. To add one, create a file with such a value and add it to list.ts.
 */
export interface Program<Context = PanelContext> {
  name: ProgramName
  /** Name in sentences. */
  title: string
  /** Debian packages. */
  packages: readonly string[]
  /** Installed where Debian has them. */
  optionalPackages?: readonly string[]
  /** Skip the program if its packages are unavailable or would replace installed ones. Default false. */
  yields?: true
  /** Dependencies that must run before it starts and stop after it. */
  needs: readonly Need[]
  /** `up` fails without it. Optional ones are retried in the background. */
  isRequired: boolean
  /** Whether this configuration uses it; otherwise it is in no list. Default true. */
  isUsed?(config: Config): boolean
  /** The variables that its configuration is made of and that may change while it runs. */
  follows?: readonly VariableName[]
  /** Whether `up` runs it, and not the administrator. */
  isOurs(config: Config): boolean
  ports(config: Config): readonly Port[]
  /** What to do if another program uses its port. */
  portHint: string
  /**
   * Creates the program before each start; undefined if an external one serves instead. Rejects with NothingToStart or
   * ProgramError.
   */
  open(context: Context): Promise<ManagedProgram | undefined>
  /** For programs that `up` starts on first use. Others always run. */
  onDemand?: {
    /** Whether anything in the database uses it. */
    isNeeded(context: Context): Promise<boolean>
    /** When it starts, as the end of a sentence. */
    until: string
  }
  /** Called each time it has started; logs its own failures. */
  onStart?(context: Context): Promise<void>
  /** Whether it responds; for GET /api/health. */
  ping(deps: Dependencies): Promise<unknown>
  /** Remedy in GET /api/health if it does not respond. */
  remedy: Sentence<RemedyCode>
  /** Row of `./panel doctor`. */
  inspect(config: Config): Promise<Finding>
}

import type { RemedyCode } from '@panel/contract/remedy-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { Config, VariableName } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Run } from '../infra/process/process.ts'
import type { Finding } from './finding.ts'
import type { ManagedProgram } from './managed-program.ts'

/** As GET /api/health names the parts. */
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

/** The rules of the host's firewall are no program, and something to wait for. */
export type Need = ProgramName | 'hostFirewall'

/** A port of this machine on which a program listens. */
export interface Port {
  port: number
  /** Where containers may reach it: at every address, at the gateway of their network, or not at all. */
  containers: 'anywhere' | 'gateway' | 'nowhere'
}

/** What a program is opened with before the panel listens. */
export interface MachineContext {
  config: Config
  env: Readonly<Record<string, string | undefined>>
  run: Run
  engine: Dependencies['engine']
  /** Tells the administrator, a line at a time. */
  step: (text: string) => void
}

/** What a program is opened with that serves the panel's own state. */
export interface PanelContext extends MachineContext {
  deps: Dependencies
  panelPort: number
}

/** What GET /api/health asks of a program. */
export type ProgramHealth = Pick<Program, 'name' | 'ping' | 'remedy'>

/**
 * A program of the list: what the configuration alone tells of it, for packages, firewall, doctor and health, and how it is opened. Adding
 * one is a file with such a value and a line in list.ts.
 */
export interface Program<Context = PanelContext> {
  name: ProgramName
  /** As it stands in a sentence. */
  title: string
  /** Debian's. */
  packages: readonly string[]
  /** Where its packages cannot be had, or only in place of others of the machine, the panel goes on without it. Default false. */
  yields?: true
  /** Those that have to run before this one starts, and end after it. */
  needs: readonly Need[]
  /** `up` fails without it; without another one the panel goes on and tries again. */
  isRequired: boolean
  /** Whether the panel has it at all: what it does without is in no list. Default true. */
  isUsed?(config: Config): boolean
  /** The variables that its configuration is made of and that may change while it runs. */
  follows?: readonly VariableName[]
  /** Whether `up` runs it, and not the administrator. */
  isOurs(config: Config): boolean
  ports(config: Config): readonly Port[]
  /** What to do where another program has its port. */
  portHint: string
  /**
   * Makes the program before each start; undefined where another one serves in its place. Rejects with ProgramError where there is none
   * to start.
   */
  open(context: Context): Promise<ManagedProgram | undefined>
  /** For a program that need not run until something uses it: `up` starts it with its first use. Others always run. */
  onDemand?: {
    /** Whether the store has anything that uses it. */
    isNeeded(context: Context): Promise<boolean>
    /** When it starts, as the end of a sentence. */
    until: string
  }
  /** Done each time it runs; logs its own failures. */
  onStart?(context: Context): Promise<void>
  /** Whether it answers the panel; for GET /api/health. */
  ping(deps: Dependencies): Promise<unknown>
  /** What GET /api/health says to do where it does not. */
  remedy: Sentence<RemedyCode>
  /** The line of `./panel doctor`. */
  inspect(config: Config): Promise<Finding>
}

import type { ChangeSettings, SettingFixedReason } from '@panel/contract/settings'
import {
  type Config,
  type ConfigProblem,
  crossProblems,
  parseVariable,
  type VariableName,
  variableNames
} from '../../config.ts'
import { parsedValues } from '../../config/changed-config.policy.ts'
import { restartReasons, secretVariables, variableFacts } from '../../config/variable-facts.ts'
import { AppError } from '../../errors.ts'
import { canonicalTimezone, runtimeTimezone } from '../../time/timezone.policy.ts'

/** Change of `timezone` or a variable. null: no value set here. */
export interface SettingChange {
  name: string
  before: string | null
  after: string | null
}

interface Stored {
  timezone: string
  stored: ReadonlyMap<string, string>
}

/** Changes to store for `input`. Throws AppError if any value is invalid. */
export function findChanges(base: Config, { timezone, stored }: Stored, input: ChangeSettings): SettingChange[] {
  const problems: ConfigProblem[] = []
  const changes: SettingChange[] = []
  const change = (name: string, before: string | null, after: string | null) => {
    if (before !== after) changes.push({ name, before, after })
  }
  if (input.timezone !== undefined) {
    const zone = input.timezone === null ? runtimeTimezone() : canonicalTimezone(input.timezone)
    if (zone === undefined)
      problems.push({ variable: 'timezone', problem: 'must be a name of the IANA database, such as Europe/Berlin' })
    else change('timezone', timezone, zone)
  }
  const after = new Map(stored)
  for (const [name, value] of Object.entries(input.variables ?? {})) {
    if (!isVariable(name)) {
      problems.push({ variable: name, problem: 'is not a setting of the panel' })
      continue
    }
    const text = value === null ? null : String(value)
    // A stored value can be removed even if the environment sets the variable now.
    const fixed = text === null && after.has(name) ? null : fixedReason(base, name)
    if (fixed !== null) throw new AppError('SETTING_FIXED', `${name} cannot be changed here: ${fixedText(fixed)}`)
    const parsed =
      text === null ? undefined : text === '' ? { problem: 'must not be empty' } : parseVariable(name, text)
    if (parsed && 'problem' in parsed) problems.push({ variable: name, problem: parsed.problem })
    change(name, stored.get(name) ?? null, text)
    if (text === null) after.delete(name)
    else after.set(name, text)
  }
  if (problems.length === 0) problems.push(...crossProblemsAfter(base, after))
  if (problems.length > 0) throw invalid(problems)
  return changes
}

/** Why a variable cannot be changed here; null if it can. */
export const fixedReason = (base: Config, name: VariableName): SettingFixedReason | null =>
  variableFacts[name].restart ?? (base.sources[name] === 'environment' ? 'environment' : null)

export const fixedText = (reason: SettingFixedReason): string =>
  reason === 'environment'
    ? 'it is set in the environment of the panel'
    : `it is read at startup, because ${restartReasons[reason]}`

/** The change without secrets, for the audit log. */
export const shownChange = (change: SettingChange): SettingChange => {
  if (!secretVariables.has(change.name)) return change
  const shown = (text: string | null) => (text === null ? null : '(secret)')
  return { name: change.name, before: shown(change.before), after: shown(change.after) }
}

const isVariable = (name: string): name is VariableName => (variableNames as readonly string[]).includes(name)

function crossProblemsAfter(base: Config, stored: ReadonlyMap<string, string>): ConfigProblem[] {
  const { values } = parsedValues(base, stored)
  return crossProblems({ ...base, ...Object.fromEntries(values) })
}

const invalid = (problems: readonly ConfigProblem[]) =>
  new AppError('VALIDATION_ERROR', problems.map(({ variable, problem }) => `${variable} ${problem}`).join('; '), {
    details: problems.map(({ variable, problem }) => ({
      path: variable === 'timezone' ? variable : `variables.${variable}`,
      message: problem
    }))
  })

import type { EnvChangeNeed, VariableScope } from '@panel/contract/env-vars'
import {
  createLookup,
  createReferenceCheck,
  effectiveVariables,
  type Environment,
  type VariableFacts
} from './environment.policy.ts'

export interface ScopedVariable extends VariableFacts {
  id: string
  scope: VariableScope
}

export interface WrittenVariable extends ScopedVariable {
  /** Whether value, scope or processes differ from what is stored. */
  isChanged: boolean
}

export interface Changes {
  written: readonly WrittenVariable[]
  removed: ReadonlySet<string>
}

/** The keys that a change of one list of variables adds, changes and removes. */
export function changedKeys(
  before: readonly VariableFacts[],
  { written, removed }: Changes
): { added: string[]; changed: string[]; removed: string[] } {
  const keys = new Set(before.map(({ key }) => key))
  return {
    added: written.filter(({ key }) => !keys.has(key)).map(({ key }) => key),
    changed: written.filter(({ key, isChanged }) => keys.has(key) && isChanged).map(({ key }) => key),
    removed: [...removed].filter((key) => keys.has(key))
  }
}

export function applyChanges<Variable extends ScopedVariable>(
  before: readonly Variable[],
  { written, removed }: Changes
): ScopedVariable[] {
  const replaced = new Set(written.map(({ key }) => key))
  return [
    ...before.filter(({ key }) => !removed.has(key) && !replaced.has(key)),
    ...written.filter(({ key }) => !removed.has(key))
  ]
}

type ProjectEnvironment = Environment<ScopedVariable>

/**
 * What must happen before a project has new values: a build if the build may use one of them, directly or through a
 * reference. `touched` has the keys whose variables change, by the list that they are in.
 */
export function needOf(
  before: ProjectEnvironment,
  after: ProjectEnvironment,
  isTouched: (variable: ScopedVariable) => boolean
): EnvChangeNeed {
  const affected = [affectedIn(before, isTouched), affectedIn(after, isTouched)].flat()
  if (affected.length === 0) return 'NOTHING'
  return affected.some(({ scope }) => scope !== 'RUN') ? 'REBUILD' : 'RESTART'
}

/** The effective variables that are touched, or refer to one that is. */
function affectedIn(environment: ProjectEnvironment, isTouched: (variable: ScopedVariable) => boolean) {
  const lookup = createLookup(environment)
  const known = new Map<ScopedVariable, boolean>()
  const isAffected = (variable: ScopedVariable): boolean => {
    const found = known.get(variable)
    if (found !== undefined) return found
    // Ends circles, which are refused when they are saved.
    known.set(variable, false)
    const targets = (variable.references ?? []).map(lookup)
    const is = isTouched(variable) || targets.some((target) => 'variable' in target && isAffected(target.variable))
    known.set(variable, is)
    return is
  }
  return [...effectiveVariables(environment).values()].filter(isAffected)
}

/** References of the project that resolved before and no longer do. */
export function brokenReferences(
  before: ProjectEnvironment,
  after: ProjectEnvironment
): { key: string; reference: string }[] {
  const problemsOf = (environment: ProjectEnvironment) => {
    const check = createReferenceCheck(environment)
    return [...effectiveVariables(environment).values()].flatMap((variable) => check(variable)?.values ?? [])
  }
  const known = new Set(problemsOf(before).map(({ key, reference }) => `${key} ${reference}`))
  return problemsOf(after)
    .filter(({ key, reference }) => !known.has(`${key} ${reference}`))
    .map(({ key, reference }) => ({ key, reference }))
}

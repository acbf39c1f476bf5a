import {
  type Config,
  type ConfigProblem,
  crossProblems,
  derivedVariables,
  parseVariable,
  type VariableName,
  withValues
} from '../config.ts'
import { changeableVariables } from './variable-facts.ts'

export type ChangedValues = ReadonlyMap<VariableName, unknown>

interface Counting {
  values: ChangedValues
  ignored: readonly ConfigProblem[]
}

/** Shown for a secret that this process cannot decrypt. */
export const unreadable = '(secret)'

/** Parses each stored value on its own. Leaves out variables set in the environment, and values this version rejects. */
export function parsedValues(base: Config, stored: ReadonlyMap<string, string>): Counting {
  const values = new Map<VariableName, unknown>()
  const ignored: ConfigProblem[] = []
  for (const name of changeableVariables) {
    const text = stored.get(name)
    if (text === undefined || base.sources[name] === 'environment') continue
    const parsed = text === unreadable ? { value: unreadable } : parseVariable(name, text)
    if ('problem' in parsed) ignored.push({ variable: name, problem: parsed.problem })
    else values.set(name, parsed.value)
  }
  return { values, ignored }
}

/** Valid stored values. Invalid ones are ignored and reported, so that they never keep the panel from starting. */
export function changedValues(base: Config, stored: ReadonlyMap<string, string>): Counting {
  const { values, ignored } = parsedValues(base, stored)
  const problems = crossProblems({ ...base, ...Object.fromEntries(values) })
  // The problem is in the combination, so ignore all of them.
  return problems.length === 0 ? { values, ignored } : { values: new Map(), ignored: [...ignored, ...problems] }
}

/** A configuration whose changeable variables, and those derived from them, follow `values`. */
export function followingConfig(base: Config, values: () => ChangedValues): Config {
  let seen: ChangedValues | undefined
  let current = base
  const read = () => {
    const changed = values()
    if (changed !== seen) [seen, current] = [changed, withValues(base, changed)]
    return current
  }
  const config = { ...base }
  for (const name of changeableVariables)
    Object.defineProperty(config, name, {
      enumerable: true,
      get: () => {
        const changed = values()
        return changed.has(name) ? changed.get(name) : base[name]
      }
    })
  for (const name of derivedVariables)
    Object.defineProperty(config, name, { enumerable: true, get: () => read()[name] })
  return Object.freeze(config)
}

import { type Config, type ConfigProblem, crossProblems, parseVariable, type VariableName } from '../config.ts'
import { changeableVariables } from './variable-facts.ts'

export type ChangedValues = ReadonlyMap<VariableName, unknown>

interface Counting {
  values: ChangedValues
  ignored: readonly ConfigProblem[]
}

/** Each stored text by itself: not what the environment says, which wins, and not what this version does not take. */
export function parsedValues(base: Config, stored: ReadonlyMap<string, string>): Counting {
  const values = new Map<VariableName, unknown>()
  const ignored: ConfigProblem[] = []
  for (const name of changeableVariables) {
    const text = stored.get(name)
    if (text === undefined || base.sources[name] === 'environment') continue
    const parsed = parseVariable(name, text)
    if ('problem' in parsed) ignored.push({ variable: name, problem: parsed.problem })
    else values.set(name, parsed.value)
  }
  return { values, ignored }
}

/** What counts of the texts that are stored. What does not comes with what is wrong with it: it never keeps the panel from starting. */
export function changedValues(base: Config, stored: ReadonlyMap<string, string>): Counting {
  const { values, ignored } = parsedValues(base, stored)
  const problems = crossProblems({ ...base, ...Object.fromEntries(values) })
  // Which of them is to blame nobody can tell.
  return problems.length === 0 ? { values, ignored } : { values: new Map(), ignored: [...ignored, ...problems] }
}

/** A configuration that follows: a variable that is changed reads as `values` has it then, everything else as in `base`. */
export function followingConfig(base: Config, values: () => ChangedValues): Config {
  const config = { ...base }
  for (const name of changeableVariables)
    Object.defineProperty(config, name, {
      enumerable: true,
      get: () => {
        const changed = values()
        return changed.has(name) ? changed.get(name) : base[name]
      }
    })
  return Object.freeze(config)
}

import { asReference, fillIn } from './reference.policy.ts'

/** A variable without its value. */
export interface VariableFacts {
  key: string
  /** Null: the value is used as it is. */
  references: readonly string[] | null
}

/** What the variables of one project can refer to. */
export interface Environment<Variable extends VariableFacts = VariableFacts> {
  own: readonly Variable[]
  /** By precedence. */
  groups: readonly { name: string; variables: readonly Variable[] }[]
  sources: readonly { name: string; fields: readonly string[] }[]
}

export type ReferenceProblemCode =
  | 'REFERENCE_UNKNOWN'
  | 'REFERENCE_CIRCULAR'
  | 'REFERENCE_AMBIGUOUS'
  | 'REFERENCE_TOO_DEEP'
interface ReferenceProblem {
  code: ReferenceProblemCode
  values: { key: string; reference: string; max?: string }
}

type Target<Variable> = { variable: Variable } | { source: string; field: string } | { problem: ReferenceProblemCode }

/** Limits the time and stack that a chain of references takes. */
const maxDepth = 50

/** The variables that the project gets: its own before those of its groups. */
export function effectiveVariables<Variable extends VariableFacts>({
  own,
  groups
}: Pick<Environment<Variable>, 'own' | 'groups'>): Map<string, Variable> {
  const effective = new Map<string, Variable>()
  for (const list of [own, ...groups.map(({ variables }) => variables)])
    for (const variable of list) if (!effective.has(variable.key)) effective.set(variable.key, variable)
  return effective
}

/** Finds what a reference of the project means. Groups and databases share their names. */
export function createLookup<Variable extends VariableFacts>(
  environment: Environment<Variable>
): (reference: string) => Target<Variable> {
  const effective = effectiveVariables(environment)
  const groups = environment.groups.map(({ name, variables }) => ({
    name,
    byKey: new Map(variables.map((variable) => [variable.key, variable]))
  }))
  return (reference) => {
    const [name, field] = reference.split('.') as [string, string?]
    if (field === undefined) {
      const variable = effective.get(name)
      return variable ? { variable } : { problem: 'REFERENCE_UNKNOWN' }
    }
    const group = groups.filter((one) => one.name === name)
    const sources = environment.sources.filter((one) => one.name === name)
    if (group.length + sources.length > 1) return { problem: 'REFERENCE_AMBIGUOUS' }
    const variable = group[0]?.byKey.get(field)
    if (variable) return { variable }
    return sources[0]?.fields.includes(field) ? { source: name, field } : { problem: 'REFERENCE_UNKNOWN' }
  }
}

/** Follows references; the check of a variable returns its first problem. */
export function createReferenceCheck<Variable extends VariableFacts>(
  environment: Environment<Variable>
): (variable: Variable) => ReferenceProblem | undefined {
  const lookup = createLookup(environment)
  // Of variables without a problem: the most steps to a value without references.
  const heights = new Map<Variable, number>()
  const check = (variable: Variable, path: ReadonlySet<Variable>): ReferenceProblem | undefined => {
    if (heights.has(variable)) return undefined
    let height = 0
    for (const name of variable.references ?? []) {
      const problem = (code: ReferenceProblemCode): ReferenceProblem => ({
        code,
        values: {
          key: variable.key,
          reference: asReference(name),
          ...(code === 'REFERENCE_TOO_DEEP' ? { max: String(maxDepth) } : {})
        }
      })
      const target = lookup(name)
      if ('problem' in target) return problem(target.problem)
      if (!('variable' in target)) continue
      if (path.has(target.variable)) return problem('REFERENCE_CIRCULAR')
      if (path.size > maxDepth) return problem('REFERENCE_TOO_DEEP')
      const deeper = check(target.variable, new Set([...path, target.variable]))
      if (deeper) return deeper
      height = Math.max(height, 1 + heights.get(target.variable)!)
      if (height > maxDepth) return problem('REFERENCE_TOO_DEEP')
    }
    heights.set(variable, height)
    return undefined
  }
  return (variable) => check(variable, new Set([variable]))
}

export interface ValueText {
  value: string
  sensitive: boolean
}

export interface VariableValue extends VariableFacts, ValueText {}

export interface Resolved<Variable extends VariableValue> {
  variable: Variable
  value: string
  /** Also if it contains a sensitive value. */
  sensitive: boolean
}

interface TooLong {
  code: 'VARIABLE_TOO_LONG' | 'VARIABLES_TOO_LARGE'
  values: { key: string; kibibytes: string }
}

export interface Limits {
  valueLength: number
  totalLength: number
}

/**
 * The values that the project gets. Variables with a problem are omitted and listed; lengths are limited, because few
 * references can multiply a text many times.
 */
export function resolveEnvironment<Variable extends VariableValue>(
  environment: Environment<Variable>,
  valueOf: (source: string, field: string) => ValueText,
  limits: Limits
): { resolved: Resolved<Variable>[]; problems: (ReferenceProblem | TooLong)[] } {
  const lookup = createLookup(environment)
  const check = createReferenceCheck(environment)
  const known = new Map<Variable, ValueText | TooLong>()
  const textOf = (name: string): ValueText | TooLong => {
    const target = lookup(name)
    if ('variable' in target) return resolve(target.variable)
    return 'source' in target ? valueOf(target.source, target.field) : { value: '', sensitive: false }
  }
  const resolve = (variable: Variable): ValueText | TooLong => {
    const found = known.get(variable) ?? fill(variable, textOf, limits)
    known.set(variable, found)
    return found
  }
  const resolved: Resolved<Variable>[] = []
  const problems: (ReferenceProblem | TooLong)[] = []
  let total = 0
  for (const variable of effectiveVariables(environment).values()) {
    const text = check(variable) ?? resolve(variable)
    if ('code' in text) problems.push(text)
    else {
      total += text.value.length
      resolved.push({ variable, ...text })
    }
  }
  if (total > limits.totalLength) {
    const largest = resolved.reduce((a, b) => (b.value.length > a.value.length ? b : a))
    problems.push(tooLong('VARIABLES_TOO_LARGE', largest.variable.key, limits.totalLength))
  }
  return { resolved, problems }
}

const tooLong = (code: TooLong['code'], key: string, length: number): TooLong => ({
  code,
  values: { key, kibibytes: String(length / 1024) }
})

function fill(
  variable: VariableValue,
  textOf: (name: string) => ValueText | TooLong,
  { valueLength }: Limits
): ValueText | TooLong {
  if (variable.references === null) return { value: variable.value, sensitive: variable.sensitive }
  let sensitive = variable.sensitive
  const texts = new Map<string, string>()
  for (const name of variable.references) {
    const text = textOf(name)
    if ('code' in text) return text
    sensitive ||= text.sensitive
    texts.set(name, text.value)
  }
  const value = fillIn(variable.value, (name) => texts.get(name) ?? '', valueLength)
  return value === undefined ? tooLong('VARIABLE_TOO_LONG', variable.key, valueLength) : { value, sensitive }
}

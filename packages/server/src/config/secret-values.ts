import type { Config, VariableName } from '../config.ts'
import { type VariableFacts, variableFacts } from './variable-facts.ts'

const isSecret = ({ isSecret: isHidden, restart }: VariableFacts): boolean => isHidden === true || restart === 'secret'

export const isSecretVariable = (name: VariableName): boolean => isSecret(variableFacts[name])

/** Values that must not appear in any output: of secret variables, and the passwords in their URLs. */
export function secretsOfConfig(config: Config): string[] {
  const names = (Object.keys(variableFacts) as VariableName[]).filter(isSecretVariable)
  return names.flatMap((name) => {
    const value = config[name]
    return typeof value === 'string' && value !== '' ? [value, ...passwordOf(value)] : []
  })
}

function passwordOf(value: string): string[] {
  const password = URL.canParse(value) ? new URL(value).password : ''
  return password === '' ? [] : [password, decodeURIComponent(password)]
}

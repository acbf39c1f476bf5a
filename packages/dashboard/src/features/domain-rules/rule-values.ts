import { DomainRule, type DomainRuleKind, type responseHeaders } from '@panel/contract/domain-rules'
import { z } from 'zod'

/** Fields of all kinds, so that a change of the kind keeps what is already typed. */
export type RuleValues = {
  id?: string | undefined
  kind: DomainRuleKind
  enabled: boolean
  match: 'PREFIX' | 'EXACT'
  path: string
  note: string
  mode: 'ALLOW' | 'DENY'
  networks: string[]
  to: string
  status: number
  users: { username: string; password?: string | undefined }[]
  bytes: number
  seconds: number
  name: (typeof responseHeaders)[number]
  value: string
  maxAgeSeconds: number
  includeSubdomains: boolean
  preload: boolean
}

export const newUser = { username: '', password: '' }

const fresh: RuleValues = {
  kind: 'REDIRECT',
  enabled: true,
  match: 'PREFIX',
  path: '/',
  note: '',
  mode: 'ALLOW',
  networks: [],
  to: '',
  status: 302,
  users: [newUser],
  bytes: 10 * 1024 ** 2,
  seconds: 60,
  name: 'Cache-Control',
  value: '',
  maxAgeSeconds: 365 * 86_400,
  includeSubdomains: false,
  preload: false
}

export const valuesOf = (rule: DomainRule | undefined): RuleValues => ({
  ...fresh,
  ...rule,
  users: rule?.kind === 'LOGIN' ? rule.users.map((user) => ({ ...newUser, ...user })) : fresh.users
})

/** An empty password keeps the stored one of a saved user; other users need one. */
export const ruleSchema = (savedUsers: readonly string[]) =>
  z
    .custom<RuleValues>()
    .transform(({ users, ...values }): unknown => ({
      ...values,
      users: users.map(({ username, password }) =>
        password === '' && savedUsers.includes(username) ? { username } : { username, password }
      )
    }))
    .pipe(DomainRule)

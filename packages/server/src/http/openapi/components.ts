import * as accounts from '@panel/contract/accounts'
import * as apiTokens from '@panel/contract/api-tokens'
import * as audit from '@panel/contract/audit'
import * as auth from '@panel/contract/auth'
import * as certificates from '@panel/contract/certificates'
import * as common from '@panel/contract/common'
import * as databases from '@panel/contract/databases'
import * as deployments from '@panel/contract/deployments'
import * as detection from '@panel/contract/detection'
import * as diskUsage from '@panel/contract/disk-usage'
import * as dnsRecords from '@panel/contract/dns-records'
import * as domains from '@panel/contract/domains'
import * as envVars from '@panel/contract/env-vars'
import * as errors from '@panel/contract/errors'
import * as files from '@panel/contract/files'
import * as git from '@panel/contract/git'
import * as projects from '@panel/contract/projects'
import * as sessions from '@panel/contract/sessions'
import * as sftp from '@panel/contract/sftp'
import * as system from '@panel/contract/system'
import * as twoFactor from '@panel/contract/two-factor'
import * as users from '@panel/contract/users'
import * as wordpress from '@panel/contract/wordpress'
import { z } from 'zod'

const modules: readonly object[] = [
  ...[
    accounts,
    apiTokens,
    audit,
    auth,
    certificates,
    common,
    databases,
    deployments,
    detection,
    diskUsage,
    dnsRecords,
    domains
  ],
  ...[envVars, errors, files, git, projects, sessions, sftp, system, twoFactor, users, wordpress]
]

/**
 * Names the contract's schemas for the document: those that have no name of their own by that of their export. Queries get none, whose
 * members are parameters one by one.
 */
export function nameSchemas(): void {
  for (const [name, schema] of modules.flatMap((module) => Object.entries(module))) {
    if (!(schema instanceof z.ZodType) || name.endsWith('Query')) continue
    const meta = z.globalRegistry.get(schema)
    if (meta?.id === undefined) z.globalRegistry.add(schema, { ...meta, id: name })
  }
}

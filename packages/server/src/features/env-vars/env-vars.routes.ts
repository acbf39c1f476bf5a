import { z } from 'zod'
import { Id, Message } from '@panel/contract/common'
import {
  EnvFileText,
  EnvKey,
  EnvVar,
  EnvVarList,
  EnvVarsImported,
  EnvVarWritten,
  ImportEnv,
  RevealedEnvVar,
  SetEnvVars
} from '@panel/contract/env-vars'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { recordAuditAlone } from '../audit/recording.service.ts'
import { requireFreshProofUnlessToken } from '../sessions/fresh-proof.policy.ts'
import {
  exportEnvFile,
  importEnvFile,
  listMasked,
  previewEnvFile,
  removeEnvVar,
  revealEnvVar,
  setEnvVars
} from './env-vars.service.ts'

const config = { access: sessionAccess }
const tags = ['Environment variables']
const params = z.object({ id: Id })
const keyParams = z.object({ id: Id, key: EnvKey })
// 500 values of 64 KiB would be more than any container takes; a large import still fits.
const bodyLimit = 8 * 1024 * 1024

export function envVarRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/projects/:id/env',
    {
      config,
      schema: {
        tags,
        operationId: 'listEnvVars',
        summary: 'List variables, values masked',
        description: 'No value is in the answer; `revealEnvVar` shows one.',
        params,
        response: { 200: EnvVarList }
      }
    },
    async (request) => ({ variables: await listMasked(deps, sessionOf(request).userId, request.params.id) })
  )
  app.get(
    '/api/projects/:id/env/:key/reveal',
    {
      // A token that may read is given away more lightly than what it would read here.
      config: { ...config, scope: 'full' },
      schema: {
        tags,
        operationId: 'revealEnvVar',
        summary: 'Show one value; audited',
        description: 'Takes a session with a fresh proof, or a token of the scope `full`.',
        params: keyParams,
        errors: ['FRESH_AUTH_REQUIRED'],
        response: { 200: RevealedEnvVar }
      }
    },
    async (request) => {
      const session = sessionOf(request)
      const { userId } = session
      requireFreshProofUnlessToken(session, deps.now())
      const variable = await revealEnvVar(deps, userId, request.params.id, request.params.key)
      await recordAuditAlone(deps, request, { action: 'env_var.revealed', actorId: userId, targetId: variable.id })
      return variable
    }
  )
  app.post(
    '/api/projects/:id/env',
    {
      config,
      bodyLimit,
      schema: {
        tags,
        operationId: 'setEnvVars',
        summary: 'Set one variable or many; all or nothing. The container gets them with its next deployment.',
        description:
          'Either `key` and `value`, or `variables`: with one that is not valid none is written. Values are encrypted at rest and arrive byte for ' +
          'byte. Builds and containers get them with the next build or deployment; `deployProject` brings them to what runs.',
        params,
        body: SetEnvVars,
        response: { 200: z.union([EnvVar, EnvVarWritten]) }
      }
    },
    async (request) => {
      const variables = await setEnvVars(deps, request, sessionOf(request).userId, request.params.id, request.body)
      return 'variables' in request.body ? { count: variables.length, variables } : variables[0]!
    }
  )
  app.post(
    '/api/projects/:id/env/import',
    {
      config,
      bodyLimit,
      schema: {
        tags,
        operationId: 'importEnvVars',
        summary: 'Import a .env text',
        description:
          'Comments, quotes, `export` and values over several lines are read as Compose and shells read them: a `#` begins a comment only after a ' +
          'blank, and double quotes know `\\n`, `\\r`, `\\"`, `\\\\` and `\\$`. `$NAME` is not expanded. Variables whose keys are not valid refuse the ' +
          'whole; lines that are not variables, and those of variables that are kept, are in `skipped` with the reason.',
        params,
        body: ImportEnv,
        response: { 200: EnvVarsImported }
      }
    },
    async (request) => {
      const { dryRun, ...file } = request.body
      const { userId } = sessionOf(request)
      if (dryRun) {
        return { count: 0, variables: [], ...(await previewEnvFile(deps, userId, request.params.id, file)) }
      }
      const imported = await importEnvFile(deps, request, userId, request.params.id, file)
      return { count: imported.variables.length, ...imported }
    }
  )
  app.get(
    '/api/projects/:id/env/export',
    {
      config: { ...config, scope: 'full' },
      schema: {
        tags,
        operationId: 'exportEnvVars',
        summary: 'Export all variables with their values as a .env text; audited',
        description:
          'Values are quoted where they need it, so that `importEnvVars`, Compose and shells read the same values. Takes a session with a fresh ' +
          'proof, or a token of the scope `full`.',
        params,
        errors: ['FRESH_AUTH_REQUIRED'],
        response: { 200: EnvFileText }
      }
    },
    async (request) => {
      const session = sessionOf(request)
      const { userId } = session
      requireFreshProofUnlessToken(session, deps.now())
      const content = await exportEnvFile(deps, userId, request.params.id)
      await recordAuditAlone(deps, request, {
        action: 'env_var.exported',
        actorId: userId,
        targetId: request.params.id
      })
      return { content }
    }
  )
  app.delete(
    '/api/projects/:id/env/:key',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteEnvVar',
        summary: 'Delete a variable',
        description: 'The running container keeps it until its next deployment.',
        params: keyParams,
        response: { 200: Message }
      }
    },
    async (request) => {
      await removeEnvVar(deps, request, sessionOf(request).userId, request.params.id, request.params.key)
      return { message: `Deleted ${request.params.key}` }
    }
  )
}

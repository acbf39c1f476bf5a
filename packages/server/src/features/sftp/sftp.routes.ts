import { AddSshKey, RemoveSshKey, SftpCredentials, SftpUser } from '@panel/contract/sftp'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { errorResponses } from '../../http/openapi.ts'
import { sftpUserView } from './sftp-user-view.ts'
import {
  addSshKey,
  getSftpUser,
  provisionSftp,
  removeSshKey,
  rotatePassword,
  setEnabled,
  showCredentials
} from './sftp.service.ts'

const config = { access: sessionAccess }
const tags = ['SFTP']

export function sftpRoutes(app: App, deps: Dependencies): void {
  const user = { 200: SftpUser, ...errorResponses }
  const credentials = { 200: SftpCredentials, ...errorResponses }

  app.get(
    '/api/sftp',
    { config, schema: { tags, summary: 'Show the SFTP account, without its password', response: user } },
    async (request) => sftpUserView(await getSftpUser(deps, sessionOf(request).userId))
  )
  app.post(
    '/api/sftp/provision',
    {
      config,
      schema: {
        tags,
        summary: 'Make the SFTP account, with every project under its name; again: the one that there is',
        description: 'Without a server that answers it is 503 SFTP_UNAVAILABLE, and no account is made.',
        response: { ...credentials, 201: SftpCredentials }
      }
    },
    async (request, reply) => {
      const { credentials, isNew } = await provisionSftp(deps, request, sessionOf(request).userId)
      return reply.code(isNew ? 201 : 200).send(credentials)
    }
  )
  app.get(
    '/api/sftp/credentials',
    {
      // A token that may read is given away more lightly than what it would read here.
      config: { ...config, scope: 'full' },
      schema: { tags, summary: 'Show address, user name and password; audited', response: credentials }
    },
    async (request) => showCredentials(deps, request, sessionOf(request).userId)
  )
  app.post(
    '/api/sftp/rotate-password',
    { config, schema: { tags, summary: 'Replace the password; sessions that are open go on', response: credentials } },
    async (request) => rotatePassword(deps, request, sessionOf(request).userId)
  )
  app.post(
    '/api/sftp/add-ssh-key',
    { config, schema: { tags, summary: 'Add an SSH key', body: AddSshKey, response: user } },
    async (request) => {
      const { userId } = sessionOf(request)
      return sftpUserView(await addSshKey(deps, request, userId, request.body.publicKey))
    }
  )
  app.post(
    '/api/sftp/remove-ssh-key',
    {
      config,
      schema: {
        tags,
        summary: 'Remove an SSH key; its comment does not matter',
        body: RemoveSshKey,
        response: user
      }
    },
    async (request) => {
      const { userId } = sessionOf(request)
      return sftpUserView(await removeSshKey(deps, request, userId, request.body.publicKey))
    }
  )
  app.delete(
    '/api/sftp/disable',
    { config, schema: { tags, summary: 'Lock the account and end its sessions', response: user } },
    async (request) => sftpUserView(await setEnabled(deps, request, sessionOf(request).userId, false))
  )
  app.post(
    '/api/sftp/enable',
    { config, schema: { tags, summary: 'Enable the account again', response: user } },
    async (request) => sftpUserView(await setEnabled(deps, request, sessionOf(request).userId, true))
  )
}

import { feature } from '../feature.ts'
import { applyAccount } from './sftp-account.service.ts'
import { reconcileSftp } from './sftp.reconcile.ts'
import { markSftpUserRemoved, touchSftpUser } from './sftp-users.repository.ts'
import { sftpRoutes } from './sftp.routes.ts'

export const sftp = feature({
  name: 'sftp',
  routes: [sftpRoutes],
  account: {
    async suspended(deps, trx, userId) {
      const id = await touchSftpUser(trx, userId)
      return id === undefined ? [] : [() => applyAccount(deps, id)]
    },
    async resumed(_deps, trx, userId) {
      await touchSftpUser(trx, userId)
    },
    async deleted(deps, trx, userId) {
      const id = await markSftpUserRemoved(trx, userId, deps.now())
      return id === undefined ? [] : [() => applyAccount(deps, id)]
    }
  },
  reconcile: [{ name: 'sftp accounts', on: { tables: ['sftp_users'] }, run: reconcileSftp }]
})

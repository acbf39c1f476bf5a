import { feature } from '../feature.ts'
import { reconcileSftp } from './sftp-sync.ts'
import { sftpRoutes } from './sftp.routes.ts'

export const sftp = feature({
  name: 'sftp',
  routes: [sftpRoutes],
  reconcile: [{ name: 'sftp accounts', on: { tables: ['sftp_users'] }, run: reconcileSftp }]
})

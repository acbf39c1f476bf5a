import { feature } from '../feature.ts'
import { deleteDeviceLoginsOf } from './device-logins.repository.ts'
import { deviceLoginRoutes } from './device-logins.routes.ts'

export const deviceLogins = feature({
  name: 'device-logins',
  routes: [deviceLoginRoutes],
  // Confirmed before, and not yet taken.
  account: { accessRevoked: deleteDeviceLoginsOf, credentialsChanged: deleteDeviceLoginsOf }
})

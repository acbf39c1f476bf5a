import type { Config } from '../config.ts'
import { configuredAddresses } from '../config/panel.ts'
import { createHttpImageRegistry } from '../infra/image-registry/http-image-registry.ts'
import { createPublicHttp } from '../infra/outbound-http/public-http.ts'

/** Clients of servers that tenants name. Settings of addresses can change while the panel runs. */
export const openOutbound = (config: Config) => ({
  outboundHttp: createPublicHttp({
    allow: config.NOTIFICATION_ALLOW,
    get own() {
      return configuredAddresses(config)
    }
  }),
  imageRegistry: createHttpImageRegistry({
    allow: config.REGISTRY_ALLOW,
    get own() {
      return configuredAddresses(config)
    }
  })
})

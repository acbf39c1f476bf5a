import type { Config } from '../config.ts'

/** Public URL of the panel for links in messages. From the configuration only, never from a request header. */
export const panelUrl = ({ API_BASE_URL, PANEL_DOMAIN }: Pick<Config, 'API_BASE_URL' | 'PANEL_DOMAIN'>): string =>
  PANEL_DOMAIN === undefined ? API_BASE_URL : `https://${PANEL_DOMAIN}`

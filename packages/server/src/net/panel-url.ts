import type { Config } from '../config.ts'

/** Where people find the panel: what is sent to them leads there. From the configuration alone, never from a request. */
export const panelUrl = ({ API_BASE_URL, PANEL_DOMAIN }: Pick<Config, 'API_BASE_URL' | 'PANEL_DOMAIN'>): string =>
  PANEL_DOMAIN === undefined ? API_BASE_URL : `https://${PANEL_DOMAIN}`

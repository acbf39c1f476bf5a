/** User agent of uptime checks, by which the proxy knows them if they come from this machine. */
export const uptimeAgent = 'panel-uptime-check'

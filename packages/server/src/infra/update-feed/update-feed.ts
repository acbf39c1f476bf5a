export interface Release {
  version: string
  url: string
  security: boolean
}

export interface UpdateFeed {
  read(url: string): Promise<Release>
}

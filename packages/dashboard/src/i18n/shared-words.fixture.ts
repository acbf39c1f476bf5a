/** Texts that are the same in English and German: proper names, abbreviations and words that German administrators use. */
export const sharedWords: ReadonlySet<string> = new Set(
  [
    'API, Bitbucket, CPU, Caddy, DKIM, DMARC, DNS, DNSSEC, Discord, Git, GitHub, GitLab, Gotify, HSTS, HTTPS, ID, MariaDB, Node.js, PHP, PostgreSQL, Python, SFTP, SPF, SMTP, SSH, Slack',
    'TCP, TLS, TTL, Telegram, UDP, URL, WordPress, mariadb, ntfy, p50, p95, panel.env, psql',
    'Administrator, Backups, Branch, Browser, Bucket, Build, Builds, Code, Commit, Container, Delegation, Details, Dockerfile, Domain, Domains, Filter, Firewall',
    'Framework, Host, Hostname, Image, Import, Live, Log, Logs, Maximum, Minute, Name, Optional, Panel, Port, Ports, Push, Repository, Reseller, Resolver',
    'Registries, Registry, Route, Routing, Secret, Server, Start, Status, Subdomains, System, Terminal, Test, Text, Token, Topic, Traffic, Uptime, Version, Volume, Volumes, Webhook, Webmail, Worker'
  ].flatMap((words) => words.split(', '))
)

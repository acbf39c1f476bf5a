import { mailPaths, type MailDirectories } from '../mail-server/mail-paths.ts'
import { addressValue, portValue, wholeValue } from '../mail-server/mail-values.ts'

export interface RspamdConfigOptions extends MailDirectories {
  resolvers: readonly string[]
  hasLookups: boolean
  greylistSeconds: number
}

/** Score from which outgoing messages are held. */
const holdScore = 10
/** Learned messages of each class before Bayes applies to a domain. */
const minLearned = 10

/** Runs only the modules listed here: Debian's default files query servers of the Rspamd project. */
export function renderRspamdConfig(options: RspamdConfigOptions): string {
  const paths = mailPaths(options)
  const { filter, filterStore } = paths
  return `# Written by the panel.
lua = "$RULESDIR/rspamd.lua";
.include "$CONFDIR/metrics.conf"
.include "$CONFDIR/groups.conf"
.include "$CONFDIR/composites.conf"
# Higher than the default: no fuzzy checks or other online services add to the score.
group "statistics" {
  symbols = {
    "BAYES_SPAM" {
      weight = 7.5;
    }
  }
}
actions {
  reject = 15;
  add_header = 6;
  greylist = 4;
}
modules {
  path = "\${PLUGINSDIR}";
}
options {
  control_socket = "${filter.control} mode=0600";
  cache_file = "${filter.data}/symbols.cache";
  hs_cache_dir = "${filter.data}/";
  stats_file = "${filter.data}/stats.ucl";
  # With 0, this version crashes at the first message.
  history_rows = 10;
  tempdir = "${filter.data}";
  url_tld = "/usr/share/publicsuffix/effective_tld_names.dat";
  filters = "chartable,dkim,regexp";
  check_all_filters = true;
  explicit_modules = ["bayes_expiry"];
  task_timeout = 8s;
  dns {
    timeout = 1s;
    retransmits = 2;
    sockets = 4;
    nameserver = [${options.resolvers.map(nameserver).join(', ')}];
  }
}
logging {
  type = "console";
  level = "notice";
  color = false;
}
worker "rspamd_proxy" {
  bind_socket = "${filter.incoming} mode=0660";
${proxy}}
# Authenticated senders: spam is put on hold for an administrator.
worker "rspamd_proxy" {
  bind_socket = "${filter.outgoing} mode=0660";
  quarantine_on_reject = true;
${proxy}}
worker "controller" {
  bind_socket = "${filter.learn} mode=0660";
  count = 1;
}
redis {
  servers = "${filterStore.socket}";
}
greylist {
  timeout = ${wholeValue(options.greylistSeconds)};
  expire = 3d;
  check_local = true;
  ipv4_mask = 24;
  message = "Greylisted: try again in some minutes";
}
milter_headers {
  use = ["x-spam-status", "x-spamd-bar", "x-spam-level", "x-spam-score"];
  skip_local = false;
  custom {
    x-spam-score = <<EOD
return function(task)
  if task:get_user() then return nil, {}, {}, {} end
  local score = string.format('%.2f', task:get_metric_score('default')[1])
  return nil, {['X-Spam-Score'] = score}, {['X-Spam-Score'] = 0}, {}
end
EOD
  }
}
spf {
  spf_cache_size = 2k;
  spf_cache_expire = 1d;
}
dkim {
  dkim_cache_size = 2k;
  dkim_cache_expire = 1d;
  time_jitter = 6h;
}
dmarc {
}
chartable {
  threshold = 0.3;
  symbol = "R_MIXED_CHARSET";
}
# Checks links inside the message only, no online lists.
phishing {
  symbol = "PHISHING";
  openphish_enabled = false;
  phishtank_enabled = false;
  exceptions = {
    REDIRECTOR_FALSE = ["$CONFDIR/maps.d/redirectors.inc"];
  }
}
mime_types {
  file = "$CONFDIR/maps.d/mime_types.inc";
  extension_map = {
    html = "text/html";
    txt = ["message/disposition-notification", "text/plain", "text/rfc822-headers"];
    pdf = ["application/octet-stream", "application/pdf", "application/x-pdf"];
  }
}
maillist {
  symbol = "MAILLIST";
}
forged_recipients {
  symbol_sender = "FORGED_SENDER";
  symbol_rcpt = "FORGED_RECIPIENTS";
}
${options.hasLookups ? lookups : ''}bayes_expiry {
}
# Bayes data per domain: no domain can train the filter of another.
classifier "bayes" {
  tokenizer {
    name = "osb";
  }
  backend = "redis";
  servers = "${filterStore.socket}";
  new_schema = true;
  expire = 100d;
  min_tokens = 11;
  min_learns = ${minLearned};
  users_enabled = true;
  per_user = <<EOD
return function(task)
  local address = task:get_user() or task:get_principal_recipient() or ''
  return address:lower():match('@([^@]+)$') or '-'
end
EOD
  cache {
  }
  statfile {
    symbol = "BAYES_HAM";
    spam = false;
  }
  statfile {
    symbol = "BAYES_SPAM";
    spam = true;
  }
  learn_condition = 'return require("lua_bayes_learn").can_learn';
  autolearn {
    spam_threshold = 12;
    ham_threshold = -0.5;
    check_balance = true;
    min_balance = 0.9;
  }
}
panel {
  domains = "${filter.domains}";
  held = "${filter.held}";
  hold_score = ${holdScore};
}
`
}

const proxy = `  milter = yes;
  count = 1;
  timeout = 20s;
  upstream "local" {
    default = yes;
    self_scan = yes;
  }
  spam_header = "X-Spam";
  reject_message = "Rejected as spam";
`

const lookups = `rbl {
  default_unknown = true;
  rbls {
    spamhaus {
      symbol = "SPAMHAUS";
      rbl = "zen.spamhaus.org";
      checks = ["from"];
      symbols_prefixes = {
        from = "RBL";
      }
      returncodes {
        SPAMHAUS_SBL = "127.0.0.2";
        SPAMHAUS_CSS = "127.0.0.3";
        SPAMHAUS_XBL = ["127.0.0.4", "127.0.0.5", "127.0.0.6", "127.0.0.7"];
        SPAMHAUS_PBL = ["127.0.0.10", "127.0.0.11"];
        SPAMHAUS_DROP = "127.0.0.9";
        SPAMHAUS_BLOCKED_OPENRESOLVER = "127.255.255.254";
        SPAMHAUS_BLOCKED = "127.255.255.255";
      }
    }
    blocklistde {
      symbol = "RBL_BLOCKLISTDE";
      rbl = "bl.blocklist.de";
      checks = ["from"];
    }
  }
}
`

function nameserver(resolver: string): string {
  const [, six, four, port] = /^(?:\[([0-9a-fA-F:]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(resolver) ?? []
  const address = addressValue(six ?? four ?? resolver)
  return `"${address.includes(':') ? `[${address}]` : address}:${portValue(Number(port ?? 53))}"`
}

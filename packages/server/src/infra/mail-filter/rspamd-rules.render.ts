export const renderRspamdRules =
  (): string => String.raw`-- Written by the panel. Applies the spam settings of the recipients' domains.
local ucl = require "ucl"
local logger = require "rspamd_logger"
local lua_redis = require "lua_redis"

local options = rspamd_config:get_all_opt('panel')
local defaults = { enabled = true, junk = 6, refuse = 15, greylisting = true }
-- Per message; Postfix's recipient limit.
local max_domains = 1000
-- Priority: our result overrides all others.
local above_all = 10

-- Spam messages within this time after which all mail of a login is held: the password is probably stolen.
local flood_messages, flood_seconds = 5, 3600
local store = lua_redis.parse_redis_server('panel')

-- GTUBE in a subject. Rspamd itself detects it in a body, but then skips blocklists, domain settings and our note.
config['regexp']['PANEL_TEST'] = {
  re = [[Subject=/XJS\*C4JDBQADN1\.NSBN3\*2IDNEN\*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL\*C\.34X/H]],
  score = 500,
  description = 'Spam filter test message (GTUBE)'
}

-- One file per domain, read per message: changes apply at once, for any number of domains.
local function read_settings(domain)
  -- Untrusted: chosen by the sender.
  if #domain > 253 or not domain:match('^[a-z0-9][a-z0-9.-]*$') or domain:find('..', 1, true) then return defaults end
  local file = io.open(options.domains .. '/' .. domain, 'r')
  if not file then return defaults end
  local text = file:read('*a')
  file:close()
  local parser = ucl.parser()
  local ok, problem = parser:parse_string(text or '')
  if not ok then
    logger.errx(rspamd_config, 'cannot read settings of %s: %s', domain, problem)
    return defaults
  end
  return parser:get_object()
end

-- Whether the set contains the address, its domain or a parent domain.
local function has(set, address)
  if not set or not address then return false end
  address = address:lower()
  if set[address] then return true end
  local domain = address:match('@([^@]*)$')
  while domain and domain ~= '' do
    if set[domain] then return true end
    domain = domain:match('%.(.*)$')
  end
  return false
end

local function senders_of(task)
  local senders = {}
  for _, kind in ipairs({ 'smtp', 'mime' }) do
    for _, from in ipairs(task:get_from(kind) or {}) do table.insert(senders, from.addr) end
  end
  return senders
end

-- DMARC does not apply to several From addresses, so the allow list must not either.
local function is_from_one(task) return #(task:get_from('mime') or {}) <= 1 end

local function has_any(set, senders)
  for _, sender in ipairs(senders) do
    if has(set, sender) then return true end
  end
  return false
end

-- One result per message: rejected only if all recipients' domains reject it, Junk if any of them files it there.
local function judge(task)
  local senders = senders_of(task)
  local seen, count = {}, 0
  local result = { open = 0, denied = 0, filtered = 0, junk = nil, refuse = 0, greylisting = true, allowing = 0 }
  for _, rcpt in ipairs(task:get_recipients('smtp') or {}) do
    local domain = (rcpt.domain or ''):lower()
    if not seen[domain] and count < max_domains then
      seen[domain] = true
      count = count + 1
      local settings = read_settings(domain)
      if settings.enabled == false then
        result.open = result.open + 1
      elseif has_any(settings.deny, senders) then
        result.denied = result.denied + 1
      else
        result.filtered = result.filtered + 1
        if is_from_one(task) and has_any(settings.allow, senders) then result.allowing = result.allowing + 1 end
        result.junk = math.min(result.junk or settings.junk, settings.junk)
        result.refuse = math.max(result.refuse, settings.refuse)
        if settings.greylisting == false then result.greylisting = false end
      end
    end
  end
  return result
end

-- Recently held messages of a login. Without Redis each message is judged separately.
local function count_held(task, command, done)
  local key = 'panel_held_' .. task:get_user():lower()
  local ok, connection = lua_redis.redis_make_request(task, store, key, command ~= 'GET', function(err, data)
    if err then logger.warnx(task, 'cannot count held messages: %s', err) end
    if done and not err then done(data) end
  end, command, { key })
  if ok and command == 'INCR' then connection:add_cmd('EXPIRE', { key, tostring(flood_seconds) }) end
end

rspamd_config:register_symbol({
  name = 'PANEL_SETTINGS',
  type = 'prefilter',
  priority = 10,
  flags = 'empty,nostat,explicit_disable',
  callback = function(task)
    -- Outgoing mail: PANEL_HOLD below decides.
    if task:get_user() then
      task:set_settings({
        actions = { reject = 10000, greylist = ucl.null, ['add header'] = ucl.null, ['rewrite subject'] = ucl.null },
        symbols_disabled = { 'GREYLIST_CHECK', 'GREYLIST_SAVE' }
      })
      count_held(task, 'GET', function(count)
        if (tonumber(count) or 0) >= flood_messages then task:get_mempool():set_variable('panel_flood', 'yes') end
      end)
      return
    end
    local result = judge(task)
    if result.filtered == 0 and result.denied == 0 then
      task:set_pre_result({ action = 'no action', module = 'panel', message = 'not filtered', priority = above_all })
      return
    end
    if result.filtered == 0 and result.open == 0 then
      task:set_pre_result({ action = 'reject', module = 'panel', message = 'Sender blocked by the recipient', priority = above_all })
      return
    end
    if result.denied > 0 then
      task:set_pre_result({ action = 'add header', module = 'panel', message = 'denied', priority = above_all })
      return
    end
    local actions = { reject = result.refuse, ['add header'] = result.junk, ['rewrite subject'] = ucl.null }
    if result.open > 0 then actions.reject = 10000 end
    local settings = { actions = actions }
    if not result.greylisting or result.open > 0 or result.allowing > 0 then
      actions.greylist = ucl.null
      settings.symbols_disabled = { 'GREYLIST_CHECK', 'GREYLIST_SAVE' }
    end
    task:set_settings(settings)
    if result.allowing > 0 and result.allowing == result.filtered then
      task:get_mempool():set_variable('panel_allowed', 'yes')
    end
  end
})

-- Addresses are easily forged: the allow list does not apply if DMARC or SPF fails.
local disproofs = { 'DMARC_POLICY_REJECT', 'DMARC_POLICY_QUARANTINE', 'R_SPF_FAIL' }
rspamd_config:register_symbol({
  name = 'PANEL_ALLOWED',
  type = 'normal',
  flags = 'empty,nostat',
  score = -1000,
  description = 'The recipient allows this sender',
  callback = function(task)
    if task:get_mempool():get_variable('panel_allowed') ~= 'yes' then return end
    for _, symbol in ipairs(disproofs) do
      if task:has_symbol(symbol) then return end
    end
    task:insert_result('PANEL_ALLOWED', 1.0)
  end
})
rspamd_config:register_dependency('PANEL_ALLOWED', 'SPF_CHECK')
rspamd_config:register_dependency('PANEL_ALLOWED', 'DMARC_CALLBACK')

-- Symbols that contributed most to the score.
local function main_symbols(task)
  local symbols = {}
  for _, symbol in ipairs(task:get_symbols_all() or {}) do
    if symbol.score > 0 then table.insert(symbols, symbol) end
  end
  table.sort(symbols, function(a, b) return a.score > b.score end)
  local names = {}
  for index = 1, math.min(5, #symbols) do names[index] = symbols[index].name end
  return names
end

-- Written before Postfix gets the result, so that every held message has a note.
local function note_held(task, score, is_spam)
  local id = task:get_queue_id()
  if not id or not id:match('^[0-9A-Za-z]+$') then return end
  local path = options.held .. '/' .. id
  local file, problem = io.open(path .. '~new', 'w')
  if not file then
    logger.errx(task, 'cannot write the note of a held message: %s', problem)
    return
  end
  local note = { login = task:get_user(), score = score, symbols = main_symbols(task), flood = not is_spam }
  file:write(ucl.to_format(note, 'json-compact'))
  file:close()
  os.rename(path .. '~new', path)
end

rspamd_config:register_symbol({
  name = 'PANEL_HOLD',
  type = 'postfilter',
  priority = 10,
  flags = 'empty,nostat,ignore_passthrough',
  callback = function(task)
    if not task:get_user() then return end
    local score = task:get_metric_score('default')[1]
    local is_spam = score >= options.hold_score
    if not is_spam and task:get_mempool():get_variable('panel_flood') ~= 'yes' then return end
    if is_spam then count_held(task, 'INCR') end
    note_held(task, score, is_spam)
    task:set_pre_result({ action = 'reject', module = 'panel', message = 'held', priority = above_all })
  end
})
`

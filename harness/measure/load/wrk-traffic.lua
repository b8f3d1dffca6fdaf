-- Traffic other than the same GET over and over. Arguments: the pause of a connection before each request, in
-- milliseconds; the number of connections; then a cycle of requests, each "METHOD path body".
--
-- A thread that repeats the cycle has one connection, because wrk does not say which request an answer belongs to. Each
-- thread begins at a different request. Latencies by method are not corrected for coordinated omission.
--
-- wrk starts its clock when its last thread has started, but also counts what the first threads did before that. So the
-- time is taken here, from the first request on.
dofile(debug.getinfo(1, 'S').source:match('^@(.*/)') .. 'wrk-summary.lua')
local summarise = done

local ffi = require('ffi')
ffi.cdef('struct instant { long seconds; long nanos; }; int clock_gettime(int clock, struct instant *now);')
local MONOTONIC = jit.os == 'OSX' and 6 or 1
local instant = ffi.new('struct instant')

local function micros ()
  ffi.C.clock_gettime(MONOTONIC, instant)
  return tonumber(instant.seconds) * 1e6 + tonumber(instant.nanos) / 1e3
end

local threads = {}
-- Prefix of a thread's globals, one table per method: wrk cannot hand over a table within a table.
local LATENCIES_OF = 'latencies of '

function setup (thread)
  table.insert(threads, thread)
  thread:set('place', #threads - 1)
end

local function goRound (cycle, connections)
  local index = math.floor(place * #cycle / connections)
  local planned = {}
  local method, sent
  methods = {}

  -- Planned when it is first sent, because every thread waits until all have started.
  local function plan (place)
    local method, path, body = cycle[place]:match('^(%S+) (%S+) ?(.*)$')
    planned[place] = { method = method, text = wrk.format(method, path, nil, body ~= '' and body or nil) }
    return planned[place]
  end

  function request ()
    local place = index % #cycle + 1
    local next = planned[place] or plan(place)
    index = index + 1
    method, sent = next.method, micros()
    began = began or sent
    return next.text
  end

  function response (status)
    if status ~= 200 then return end
    local name = LATENCIES_OF .. method
    if not _G[name] then
      _G[name] = {}
      table.insert(methods, method)
    end
    table.insert(_G[name], micros() - sent)
  end
end

function init (args)
  local pause, connections = tonumber(args[1]), tonumber(args[2])
  if pause > 0 then
    function delay () return pause end
  end
  local cycle = { unpack(args, 3) }
  if #cycle > 0 then goRound(cycle, connections) end
end

local function latenciesByMethod ()
  local all = {}
  for _, thread in ipairs(threads) do
    for _, method in ipairs(thread:get('methods') or {}) do
      all[method] = all[method] or {}
      for _, value in ipairs(thread:get(LATENCIES_OF .. method)) do table.insert(all[method], value) end
    end
  end
  return all
end

local function describe (method, values)
  table.sort(values)
  local function percentile (p) return values[math.max(1, math.ceil(#values * p / 100))] end
  return string.format('"%s":{"requests":%d,"latencyMicros":{"p50":%d,"p90":%d,"p99":%d,"p999":%d,"max":%d}}',
    method, #values, percentile(50), percentile(90), percentile(99), percentile(99.9), values[#values])
end

local function beginning ()
  local earliest = math.huge
  for _, thread in ipairs(threads) do earliest = math.min(earliest, thread:get('began') or earliest) end
  return earliest
end

function done (summary, latency, requests)
  local ended = micros()
  summarise(summary, latency, requests)
  local operations = {}
  for method, values in pairs(latenciesByMethod()) do table.insert(operations, describe(method, values)) end
  if #operations == 0 then return end
  io.write(string.format('{"operations":{%s},"micros":%d}\n', table.concat(operations, ','), ended - beginning()))
end

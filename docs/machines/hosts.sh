#!/bin/bash
# Measures a run in shards, one on each of the hosts that are given, over ssh; then merges them. Called again, it goes on.
#   ./hosts.sh user@a user@b
# Every host has the project in the same folder, with its packages installed.
set -euo pipefail
export FOLDER=${FOLDER:-$PWD} TIMERQ=${TIMERQ:-npx timerq} SSH=${SSH:-ssh} COUNT=$#
# Queues of your own (--queue ./mine.js), which a run that goes on needs again; the plan is in its results.
export QUEUES=${QUEUES:-}
export OPTIONS=${OPTIONS:---scenario refresh-one-duration,start-cancel --size 1000,100000 --rounds 10 --seed 5}

measure () {
  local host=$1 shard=$2 results=results/shard-$2
  $SSH "$host" "cd '$FOLDER' && if [ -e $results/run.json ]; then $TIMERQ run --resume $results $QUEUES; else $TIMERQ run $QUEUES $OPTIONS --shard $shard/$COUNT --out $results; fi"
}
export -f measure

# --link: the first shard for the first host, and so on.
SHELL=$(command -v bash) parallel --jobs 0 --link --tag --line-buffer measure ::: "$@" ::: $(seq "$COUNT")

shard=0
for host; do
  shard=$((shard + 1))
  $SSH "$host" "tar -C '$FOLDER' -c results/shard-$shard" | tar -x
done
$TIMERQ merge results/shard-* --out results/whole

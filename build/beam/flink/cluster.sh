#!/usr/bin/env bash
# A Flink cluster on this machine, of parts from Maven: a job manager, task managers with
# one slot each, and Beam's job server on port 8099. Needs Java 17 and Maven.
#
#   cluster.sh FOLDER start [N]     with N task managers, 2 if not said
#   cluster.sh FOLDER more          one more task manager, as in place of one that is lost
#   cluster.sh FOLDER stop
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)

# What is opened of Java 17 for Flink, as its own scripts do.
opens=()
for part in lang lang.invoke lang.reflect io net nio text time util util.concurrent util.concurrent.atomic util.concurrent.locks; do
	opens+=(--add-opens "java.base/java.$part=ALL-UNNAMED")
done

configure() {
	mkdir -p "$folder/conf" "$folder/run" "$folder/tmp"
	cat >"$folder/conf/flink-conf.yaml" <<-CONF
		jobmanager.rpc.address: localhost
		jobmanager.bind-host: localhost
		rest.address: localhost
		rest.bind-address: localhost
		taskmanager.host: localhost
		taskmanager.bind-host: localhost
		taskmanager.numberOfTaskSlots: 1
		taskmanager.cpu.cores: 1
		taskmanager.memory.framework.heap.size: 128mb
		taskmanager.memory.framework.off-heap.size: 128mb
		taskmanager.memory.task.heap.size: 256mb
		taskmanager.memory.task.off-heap.size: 64mb
		taskmanager.memory.managed.size: 256mb
		taskmanager.memory.network.min: 64mb
		taskmanager.memory.network.max: 64mb
		taskmanager.memory.jvm-metaspace.size: 256mb
		taskmanager.memory.jvm-overhead.min: 192mb
		taskmanager.memory.jvm-overhead.max: 192mb
		heartbeat.interval: 2000
		heartbeat.timeout: 20000
		restart-strategy.type: fixed-delay
		restart-strategy.fixed-delay.attempts: 10
		restart-strategy.fixed-delay.delay: 2 s
		classloader.resolve-order: parent-first
		io.tmp.dirs: $folder/tmp
		blob.storage.directory: $folder/tmp
	CONF
}

# background NAME MEMORY CLASS ARGUMENT...
background() {
	local name=$1 memory=$2
	shift 2
	(cd "$folder" && exec setsid java "-Xmx$memory" "-XX:MaxDirectMemorySize=512m" -Dorg.slf4j.simpleLogger.defaultLogLevel=warn "${opens[@]}" -cp "$folder/lib/*" "$@") >"$folder/run/$name.log" 2>&1 </dev/null &
	echo $! >"$folder/run/$name.pid"
}

task_manager() {
	local n=0
	while [ -e "$folder/run/task-$n.pid" ]; do n=$((n + 1)); done
	background "task-$n" 384m org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$folder/conf"
}

# listening PORT: waits until something listens there, two minutes at most.
listening() {
	for _ in $(seq 240); do
		(exec 3<>"/dev/tcp/localhost/$1") 2>/dev/null && return
		sleep 0.5
	done
	echo "nothing listens on port $1: see the logs in $folder/run" >&2
	return 1
}

stop() {
	local file
	for file in "$folder"/run/*.pid; do
		[ -e "$file" ] || continue
		kill "$(cat "$file")" 2>/dev/null || true
		rm "$file"
	done
}

case $2 in
start)
	[ -e "$folder/lib/.whole" ] || {
		mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DincludeScope=runtime "-DoutputDirectory=$folder/lib"
		touch "$folder/lib/.whole"
	}
	stop
	configure
	background job-manager 512m org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$folder/conf"
	listening 8081
	for _ in $(seq "${3:-2}"); do task_manager; done
	background job-server 512m org.apache.beam.runners.flink.FlinkJobServerDriver --flink-master=localhost:8081 --job-host=localhost --job-port=8099 --artifact-port=8098 --expansion-port=8097 "--artifacts-dir=$folder/tmp/artifacts"
	listening 8099
	;;
more) task_manager ;;
stop) stop ;;
*)
	sed -n '2,7s/^# \{0,1\}//p' "$0"
	exit 2
	;;
esac

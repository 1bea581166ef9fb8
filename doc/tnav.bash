# bash completion for tnav(1)
_tnav()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} word
	local options='--print --count --info --check --metadata --export= --spans= --lanes= --columns= --pairs --ask= --by= --show= --demo --help --version --filter= --begin= --end= --timerange= --stream-intersection --group-by= --where= --sort= --top=
		--clock-seconds --clock-date --clock-gmt --clock-cycles --no-delta --names= --fields= --color= --output=
		--output-format= --force --format= --clock-offset= --clock-offset-ns= --threads= --no-index-cache --no-index-files --record=
		--compress --follow --keep --live-from= --live-lag='

	COMPREPLY=()
	# The shell cuts --color=auto at the sign: the option is then the word before.
	if [[ $cur == = ]]; then
		cur=
	elif [[ $prev == = ]]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	case $prev in
	--live-from) word='oldest now' ;;
	--color) word='never auto always' ;;
	--output-format) word='text csv jsonl' ;;
	--format) word='ctf ovni vartrace vartrace-le vartrace-be' ;;
	--names) word='payload context scope header all none' ;;
	--fields) word='trace trace:hostname trace:domain trace:procname trace:vpid loglevel emf all none' ;;
	--filter | --begin | --end | --timerange | --clock-offset | --clock-offset-ns | --keep | --live-lag | --threads | --spans | --lanes | --columns | --ask | --by | --show | --group-by | --where | --sort | --top | -[fbet]) return ;;
	--export | --output | --record | -w)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return ;;
	*)
		if [[ $cur != -* ]]; then
			compopt -o filenames
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
			return
		fi
		word=$options
		mapfile -t COMPREPLY < <(compgen -W "$word" -- "$cur")
		[[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
		return ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$word" -- "$cur")
}
complete -F _tnav tnav

from tauprof.command import main

main()
